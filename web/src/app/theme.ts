import type { Preferences } from '#contract/session';

/** Remembered in this browser too, so that the next page is right before its first paint (`theme.js`). */
export function applyTheme(theme: Preferences['theme']): void {
  if (theme === 'system') localStorage.removeItem('gatehouse.theme');
  else localStorage.setItem('gatehouse.theme', theme);
  dispatchEvent(new Event('gatehouse:theme'));
}
