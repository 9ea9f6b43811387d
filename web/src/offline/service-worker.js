/**
 * What a browser keeps of this service: one sentence for when it cannot be reached. Nothing else is kept, no page, no
 * script and no answer, so that nothing here can ever be older than the service.
 */
const sentences = { en: { dir: 'ltr', text: '' } };
const asked = new URL(self.location.href).searchParams;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).then(orUnreachable, unreachable));
});

/** A click on what was told leads to its chat: in a window that is open, or in a new one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async ([shown]) => {
      if (shown === undefined) return await self.clients.openWindow(path);
      shown.postMessage({ type: 'open', path }, []);
      return await shown.focus();
    }),
  );
});

/** A proxy that stands in front speaks for a service that is not there. */
function orUnreachable(response) {
  return [502, 503, 504].includes(response.status) ? unreachable() : response;
}

/** The page asks again by itself until the service is back. */
function unreachable() {
  const language = asked.get('language') ?? 'en';
  const { dir, text } = sentences[language] ?? sentences.en;
  const name = escaped(asked.get('name') ?? 'Gatehouse');
  const page = `<!doctype html>
<html lang="${escaped(language)}" dir="${dir}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="4">
<title>${name}</title>
<style>
  :root { color-scheme: light dark; --paper: #faf8f3; --ink: #1f2328; --mark: #27695d }
  @media (prefers-color-scheme: dark) { :root { --paper: #181c21; --ink: #e6e3dc; --mark: #86c9b8 } }
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; justify-items: center; gap: 1.25rem;
    padding: 0 1.5rem; text-align: center; background: var(--paper); color: var(--ink);
    font: 1.0625rem/1.5 'Source Sans 3', system-ui, sans-serif }
  svg { fill: var(--mark) }
  h1 { margin: 0; font-size: 1.375rem; font-weight: 650 }
  p { margin: 0; max-width: 34ch }
</style>
<svg width="48" height="48" viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="M3 22V11a9 9 0 0 1 18 0v11h-3V11.3a6 6 0 0 0-5.25-5.95V22h-1.5V5.35A6 6 0 0 0 6 11.3V22Zm5.6-8.2a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2Zm6.8 0a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2Z"/></svg>
<h1>${name}</h1>
<p role="status">${text}</p>`;
  return new Response(page, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}

function escaped(text) {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
