import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

interface FollowEnd {
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
  /** Something else is looked at: growth below moves nothing. */
  readonly leaveEnd: () => void;
}

/**
 * Keeps the end of a growing conversation in view while the reader is at the end, and leaves the view alone as
 * soon as they scroll up, find something or open it. Text that is laid out anew, and rows that are measured for the
 * first time, move the view too: that is nobody's wish.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  chatId: string | null,
  lastMessageId: string | undefined,
): FollowEnd {
  const isFollowing = useRef(true);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const goToEnd = useCallback(() => {
    isFollowing.current = true;
    setIsAtEnd(true);
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [scroller]);
  const leaveEnd = useCallback(() => {
    isFollowing.current = false;
  }, []);

  // Opening a chat, sending, and switching to a branch all show the end.
  useLayoutEffect(() => goToEnd(), [goToEnd, chatId, lastMessageId]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    const listeners = new AbortController();
    const options = { passive: true, signal: listeners.signal };
    let lastTop = element.scrollTop;
    let handMovedAt = -Infinity;
    let laidOutAt = -Infinity;
    const noteHand = () => {
      handMovedAt = performance.now();
    };
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const) {
      element.addEventListener(type, noteHand, options);
    }
    element.addEventListener('pointermove', ({ buttons }) => buttons > 0 && noteHand(), options);
    element.addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof Element && target.closest('[data-fold]') !== null) leaveEnd();
      },
      { ...options, capture: true },
    );
    element.addEventListener(
      'scroll',
      () => {
        const distance = element.scrollHeight - element.scrollTop - element.clientHeight;
        const now = performance.now();
        const isByLayout = now - laidOutAt < layoutMs && now - handMovedAt > handMs;
        if (isByLayout && isFollowing.current) element.scrollTop = element.scrollHeight;
        else if (element.scrollTop < lastTop - 1 && distance > nearEndPixels) isFollowing.current = false;
        else if (element.scrollTop > lastTop && distance <= nearEndPixels) isFollowing.current = true;
        lastTop = element.scrollTop;
        setIsAtEnd(isFollowing.current || distance <= nearEndPixels);
      },
      options,
    );
    const observer = new ResizeObserver(() => {
      laidOutAt = performance.now();
      if (isFollowing.current) element.scrollTop = element.scrollHeight;
      else setIsAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight <= nearEndPixels);
    });
    observer.observe(inner);
    observer.observe(element);
    return () => {
      observer.disconnect();
      listeners.abort();
    };
  }, [scroller, content, leaveEnd]);

  return { isAtEnd, goToEnd, leaveEnd };
}

const nearEndPixels = 40;
/** A flick of the wheel goes on for a while after the finger has left it. */
const handMs = 800;
/** The scrolling that follows a new layout comes within a few frames. */
const layoutMs = 150;
