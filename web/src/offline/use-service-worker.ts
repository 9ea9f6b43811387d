import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useService } from '../app/session.tsx';
import { useLanguageTag } from '../language/language.tsx';

/** What says in this language, and in the name of the house, that the service cannot be reached. */
export function useServiceWorker(): void {
  const name = useService()?.name;
  const language = useLanguageTag();
  const [, goTo] = useLocation();
  useEffect(() => {
    if (import.meta.env.DEV || name === undefined || !('serviceWorker' in navigator)) return;
    const about = new URLSearchParams({ language, name });
    // Without it, as in a private window of some browsers, the page works as before.
    navigator.serviceWorker.register(`/service-worker.js?${about.toString()}`).catch(() => undefined);
  }, [language, name]);
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const opened = ({ data }: MessageEvent<{ readonly type?: unknown; readonly path?: unknown }>) => {
      if (data.type === 'open' && typeof data.path === 'string') goTo(data.path);
    };
    navigator.serviceWorker.addEventListener('message', opened);
    return () => navigator.serviceWorker.removeEventListener('message', opened);
  }, [goTo]);
}
