import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Keys } from './keys.tsx';

interface Shown {
  readonly label: string;
  readonly shortcut: string;
  readonly beside: DOMRect;
}

/**
 * The one tooltip of the page. Every button with `data-tooltip`, which holds its shortcut, has it: a component for
 * each would cost a long chat more than all its words.
 */
export function Tooltip() {
  const plate = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => followPointer(setShown), []);
  useLayoutEffect(() => {
    const element = plate.current;
    if (element === null || shown === undefined) return;
    const { left, width, top, bottom } = shown.beside;
    const middle = left + width / 2 - element.offsetWidth / 2;
    const above = top - element.offsetHeight - gapPixels;
    const furthest = document.documentElement.clientWidth - element.offsetWidth - edgePixels;
    element.style.left = `${Math.max(edgePixels, Math.min(middle, furthest))}px`;
    element.style.top = `${above >= edgePixels ? above : bottom + gapPixels}px`;
  }, [shown]);
  if (shown === undefined) return null;
  return createPortal(
    <div
      ref={plate}
      role="tooltip"
      className="floating fixed z-50 flex w-max max-w-[calc(100vw-10px)] items-center gap-2 px-2 py-1 text-[0.8125rem] text-ink starting:opacity-0"
    >
      {shown.label}
      {shown.shortcut !== '' && <Keys combination={shown.shortcut} />}
    </div>,
    document.body,
  );
}

const gapPixels = 6;
const edgePixels = 5;

/** Shows what the pointer rests on or the keyboard has reached; any deed, and Escape, takes it away. */
function followPointer(show: (shown: Shown | undefined) => void): () => void {
  const listeners = new AbortController();
  const options = { capture: true, passive: true, signal: listeners.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: Element | undefined;
  let isShown = false;
  let hiddenAt = -Infinity;

  const after = (delayMs: number, action: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(action, delayMs);
  };
  const hide = () => {
    clearTimeout(timer);
    if (!isShown) return;
    isShown = false;
    hiddenAt = performance.now();
    show(undefined);
  };
  const leave = (delayMs: number) => {
    if (current === undefined) return;
    after(delayMs, () => {
      current = undefined;
      hide();
    });
  };
  const showBeside = (button: HTMLElement) => {
    if (!button.isConnected || button.ariaExpanded === 'true') return;
    isShown = true;
    show({
      label: button.ariaLabel ?? '',
      shortcut: button.dataset['tooltip'] ?? '',
      beside: button.getBoundingClientRect(),
    });
  };
  document.addEventListener(
    'pointerover',
    ({ target, pointerType }) => {
      if (!(target instanceof Element) || pointerType === 'touch') return;
      const button = target.closest<HTMLElement>('[data-tooltip]');
      if (button === null) {
        // On its way to the plate, or on it, to read it.
        if (target.closest('[role=tooltip]') !== null) clearTimeout(timer);
        else leave(isShown ? leavingMs : 0);
      } else if (button === current) {
        if (isShown) clearTimeout(timer);
      } else {
        const isNeighbour = isShown || performance.now() - hiddenAt < neighbourMs;
        current = button;
        after(isNeighbour ? 0 : restingMs, () => showBeside(button));
      }
    },
    options,
  );
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement) || !target.matches('[data-tooltip]:focus-visible')) return;
      current = target;
      after(0, () => showBeside(target));
    },
    options,
  );
  for (const deed of ['pointerdown', 'keydown', 'focusout'] as const) {
    document.addEventListener(deed, hide, options);
  }
  // An answer that grows scrolls by itself, and moves only the buttons in it.
  document.addEventListener(
    'scroll',
    ({ target }) => {
      if (current !== undefined && target instanceof Node && target.contains(current)) hide();
    },
    options,
  );
  document.documentElement.addEventListener('pointerleave', () => leave(0), options);
  return () => {
    clearTimeout(timer);
    listeners.abort();
  };
}

const restingMs = 500;
/** Who has just read one reads the next at once. */
const neighbourMs = 400;
const leavingMs = 100;
