import { useEffect, useRef, type RefObject } from 'react';
import type { EarlierMessages } from './conversation.ts';

/** Whoever nears the beginning of what is there gets what comes before it. */
export function useEarlierMessages(scroller: RefObject<HTMLElement | null>, earlier: EarlierMessages): void {
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
}

const nearTopPixels = 600;
