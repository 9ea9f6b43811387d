import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/**
 * Keeps the end of a growing conversation in view while the reader is at the end, and leaves the view alone as
 * soon as they scroll up.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  chatId: string | null,
  lastMessageId: string | undefined,
): { readonly isAtEnd: boolean; readonly goToEnd: () => void } {
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const goToEnd = useCallback(() => {
    isFollowing.current = true;
    setIsAtEnd(true);
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  // Opening a chat, sending, and switching to a branch all show the end.
  useLayoutEffect(() => goToEnd(), [goToEnd, chatId, lastMessageId]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    const onScroll = () => {
      const distance = element.scrollHeight - element.scrollTop - element.clientHeight;
      // Growth also changes the distance; only a movement upwards is the reader's wish to stay.
      if (element.scrollTop < lastTop.current - 1 && distance > nearEndPixels) isFollowing.current = false;
      else if (distance <= nearEndPixels) isFollowing.current = true;
      lastTop.current = element.scrollTop;
      setIsAtEnd(isFollowing.current || distance <= nearEndPixels);
    };
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, content]);

  return { isAtEnd, goToEnd };
}

const nearEndPixels = 40;
