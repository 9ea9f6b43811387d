import { navigate } from 'wouter/use-browser-location';

/**
 * A click on what was told leads to its chat. Called once, when the page starts: a browser hands over what is said to a
 * page that still loads, but only to somebody who listens by then.
 */
export function openToldChats(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', (event) => {
    const { type, path } = event.data as { readonly type?: unknown; readonly path?: unknown };
    if (type === 'open' && typeof path === 'string') navigate(path);
  });
}
