import { useEffect } from 'react';
import { useService } from '../app/session.tsx';
import { useLanguage } from '../language/language.tsx';

/** What says in this language, and in the name of the house, that the service cannot be reached. */
export function useServiceWorker(): void {
  const name = useService()?.name;
  const language = useLanguage();
  useEffect(() => {
    if (import.meta.env.DEV || name === undefined || !('serviceWorker' in navigator)) return;
    const about = new URLSearchParams({ language, name });
    // Without it, as in a private window of some browsers, the page works as before.
    navigator.serviceWorker.register(`/service-worker.js?${about.toString()}`).catch(() => undefined);
  }, [language, name]);
}
