import { flushSync } from 'react-dom';
import { useEffect, useState, type RefObject } from 'react';
import { createDrawingPace } from '../design/drawing-pace.ts';

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
/** Looking at something takes a while: what passes by is not drawn for it. */
const drawRoundSoon = createDrawingPace({ shortestMs: 150, longestMs: 400 }, () =>
  // Formulas and colours in the same frame.
  flushSync(() => draw([...near])),
);

function observeView(): IntersectionObserver {
  addEventListener('beforeprint', () => flushSync(() => draw([...waiting.keys()])));
  return new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target);
        else near.delete(target);
      }
      if (near.size > 0) drawRoundSoon(false);
    },
    // Without `scrollMargin`, which not every browser knows, it is drawn when it is seen.
    { rootMargin: ahead, scrollMargin: ahead },
  );
}

const ahead = '50%';

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
