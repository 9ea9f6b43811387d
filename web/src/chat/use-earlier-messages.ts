import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { Conversation } from './conversation.ts';

interface EarlierParts {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly conversation: Conversation;
  readonly leaveEnd: () => void;
}

/** Whoever nears the beginning of what is there gets what comes before it, and goes on reading the same line. */
export function useEarlierMessages({ scroller, virtualizer, conversation, leaveEnd }: EarlierParts): void {
  const { path, earlier } = conversation;
  const mayLoad = earlier.state === 'more';
  const latest = useRef(earlier.load);
  useEffect(() => {
    latest.current = earlier.load;
  });
  useEffect(() => {
    const view = scroller.current;
    if (view === null || !mayLoad) return;
    let lastTop = view.scrollTop;
    // Only on the way up: a chat that opens is at its top for a moment too.
    const look = () => {
      if (view.scrollTop < Math.min(lastTop, nearTopPixels)) latest.current();
      lastTop = view.scrollTop;
    };
    view.addEventListener('scroll', look, { passive: true });
    return () => view.removeEventListener('scroll', look);
  }, [scroller, mayLoad]);

  const firstId = path[0]?.id;
  const { paddingStart } = virtualizer.options;
  const lastTop = useRef({ firstId, paddingStart });
  useLayoutEffect(() => {
    const before = lastTop.current;
    lastTop.current = { firstId, paddingStart };
    const added = path.findIndex(({ id }) => id === before.firstId);
    const start = virtualizer.measurementsCache[added]?.start;
    if (added <= 0 || start === undefined || scroller.current === null) return;
    leaveEnd();
    scroller.current.scrollTop += start - before.paddingStart;
  }, [firstId, paddingStart, path, scroller, virtualizer, leaveEnd]);
}

const nearTopPixels = 600;
