import { useCallback, useEffect, useRef, useState } from 'react';
import { shortcuts, useShortcut } from './shortcuts.ts';

interface PaletteState {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** What was typed before its field was there; once. */
  readonly takeTypedAhead: () => string;
}

/** Whether the palette is open. It is fetched when it is first asked for, and what is typed meanwhile is meant for it. */
export function usePalette(): PaletteState {
  const [isOpen, setIsOpen] = useState(false);
  const typedAhead = useRef('');
  const isTaken = useRef(false);
  const close = useCallback(() => setIsOpen(false), []);
  useShortcut(shortcuts.palette, () => setIsOpen(!isOpen));
  useEffect(() => {
    if (!isOpen) return undefined;
    typedAhead.current = '';
    isTaken.current = false;
    const listener = (event: KeyboardEvent) => {
      if (isTaken.current || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') setIsOpen(false);
      else if (event.key.length === 1) typedAhead.current += event.key;
      else if (event.key !== 'Enter') return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', listener, true);
    return () => document.removeEventListener('keydown', listener, true);
  }, [isOpen]);
  const takeTypedAhead = useCallback(() => {
    isTaken.current = true;
    const typed = typedAhead.current;
    typedAhead.current = '';
    return typed;
  }, []);
  return { isOpen, close, takeTypedAhead };
}
