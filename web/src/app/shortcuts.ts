import { useEffect, useRef } from 'react';

/** Every shortcut of the app. `Mod` is Command on Apple machines and Control elsewhere. */
export const shortcuts = {
  newChat: 'Mod+Shift+O',
  palette: 'Mod+K',
  search: 'Mod+Shift+F',
  focusComposer: 'Shift+Escape',
  focusComposerBySlash: '/',
  copyLast: 'Mod+Shift+C',
  stop: 'Escape',
  switchModel: 'Mod+Shift+M',
  archive: 'Mod+Shift+E',
  toggleSidebar: 'Mod+B',
  showShortcuts: '?',
} as const;

export function useShortcut(combination: string, action: (() => void) | undefined): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const wanted = parse(combination);
    const listener = (event: KeyboardEvent) => {
      if (latest.current === undefined || event.defaultPrevented || !matches(wanted, event)) return;
      if (!wanted.hasModifier && wanted.key.length === 1 && (isTyping(event.target) || !areSingleKeysOn()))
        return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [combination]);
}

/** The plates to draw for a combination: `['⌘', 'K']` or `['Ctrl', 'K']`. */
export function keyNames(combination: string): string[] {
  const names = isApple() ? appleNames : otherNames;
  return combination.split('+').map((part) => names[part] ?? part);
}

/** Some people's assistive software types single letters; they can turn those shortcuts off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(singleKeysSetting) !== 'off';
}

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(singleKeysSetting);
  else localStorage.setItem(singleKeysSetting, 'off');
}

const singleKeysSetting = 'gatehouse.single-keys';
const appleNames: Record<string, string> = { Mod: '⌘', Shift: '⇧', Escape: 'Esc' };
const otherNames: Record<string, string> = { Mod: 'Ctrl', Escape: 'Esc' };

interface Combination {
  readonly key: string;
  readonly needsMod: boolean;
  readonly needsShift: boolean;
  readonly hasModifier: boolean;
}

function parse(combination: string): Combination {
  const parts = combination.split('+');
  const key = parts.at(-1) ?? '';
  const needsMod = parts.includes('Mod');
  return {
    key: key.toLowerCase(),
    needsMod,
    needsShift: parts.includes('Shift'),
    hasModifier: parts.length > 1,
  };
}

function matches(wanted: Combination, event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() !== wanted.key || event.altKey || event.isComposing) return false;
  const hasMod = isApple() ? event.metaKey : event.ctrlKey;
  if (hasMod !== wanted.needsMod) return false;
  // A character such as `?` needs Shift on some keyboards and not on others.
  return wanted.hasModifier || wanted.key.length > 1 ? event.shiftKey === wanted.needsShift : true;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
