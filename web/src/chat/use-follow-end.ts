import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

interface FollowEnd {
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
  /** Something else is looked at: growth below moves nothing. */
  readonly leaveEnd: () => void;
}

/**
 * Keeps the end of a growing conversation in view while the reader is at the end, and leaves the view alone as
 * soon as they scroll up or open something to read. Only the reader's own hand counts: text that is laid out anew
 * moves the view too.
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
    const noteHand = () => {
      handMovedAt = performance.now();
    };
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const) {
      element.addEventListener(type, noteHand, options);
    }
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
        const isByHand = performance.now() - handMovedAt < handMs;
        if (isByHand && element.scrollTop < lastTop - 1 && distance > nearEndPixels)
          isFollowing.current = false;
        else if (isByHand && element.scrollTop > lastTop && distance <= nearEndPixels)
          isFollowing.current = true;
        // Rows that are measured for the first time move the view as well.
        if (!isByHand && isFollowing.current && distance > 1) element.scrollTop = element.scrollHeight;
        lastTop = element.scrollTop;
        setIsAtEnd(isFollowing.current || distance <= nearEndPixels);
      },
      options,
    );
    const observer = new ResizeObserver(() => {
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
