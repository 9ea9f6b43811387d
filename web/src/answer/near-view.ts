import { flushSync } from 'react-dom';
import { useEffect, useState, type RefObject } from 'react';

/** True from when the element has first been near what somebody sees; what is printed is all there. */
export function useNearView(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!isNear && element.current !== null) return whenNearView(element.current, () => setIsNear(true));
    return undefined;
  }, [element, isNear]);
  return isNear;
}

/** Calls once, unless given up before. What passes by faster than one can look is left for when one comes back. */
export function whenNearView(element: Element, action: () => void): () => void {
  observer ??= observeView();
  waiting.set(element, action);
  observer.observe(element);
  return () => forget(element);
}

/** One entry for each costly piece that is on the page and has not been drawn. */
const waiting = new Map<Element, () => void>();
const near = new Set<Element>();
let observer: IntersectionObserver | undefined;
let isRoundDue = false;
let lastRoundAt = -Infinity;

function observeView(): IntersectionObserver {
  addEventListener('beforeprint', () => flushSync(() => draw([...waiting.keys()])));
  return new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target);
        else near.delete(target);
      }
      if (near.size === 0 || isRoundDue) return;
      isRoundDue = true;
      setTimeout(drawRound, Math.max(0, lastRoundAt + roundMs - performance.now()));
    },
    // Without `scrollMargin`, which not every browser knows, it is drawn when it is seen.
    { rootMargin: ahead, scrollMargin: ahead },
  );
}

const ahead = '50%';
const roundMs = 150;

function drawRound(): void {
  isRoundDue = false;
  lastRoundAt = performance.now();
  draw([...near]);
}

function draw(elements: readonly Element[]): void {
  const actions = elements.map((element) => waiting.get(element));
  elements.forEach(forget);
  for (const action of actions) action?.();
}

function forget(element: Element): void {
  waiting.delete(element);
  near.delete(element);
  observer?.unobserve(element);
}
