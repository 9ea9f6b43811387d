import { getOnly, type Handler } from './get-only.ts';

/**
 * The frame in which the page shows documents that models write. Whatever runs in it is hostile: the policy gives it
 * an origin that nobody shares and no network at all. It receives its document once, from the page around it.
 */
export const previewHeaders: readonly string[] = [
  'content-security-policy',
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'referrer-policy',
  'no-referrer',
  'permissions-policy',
  'camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-read=(), clipboard-write=(), display-capture=()',
  'x-dns-prefetch-control',
  'off',
  'cache-control',
  'no-cache',
];

const frame = Buffer.from(`<!doctype html>
<meta charset="utf-8">
<title>Preview</title>
<script>
  addEventListener('message', (event) => {
    if (event.source !== parent) return;
    const { html, scripts, source } = event.data;
    window.source = source;
    // WebRTC is the one way out that no policy of a browser closes yet; a frame inside would have it anew.
    for (const name of Object.getOwnPropertyNames(window)) if (/RTC/.test(name)) delete window[name];
    const inner = 'iframe, frame, object, embed';
    new MutationObserver(() => document.querySelectorAll(inner).forEach((frame) => frame.remove()))
      .observe(document, { childList: true, subtree: true });
    document.open();
    document.write(html);
    document.close();
    for (const code of scripts) {
      const script = document.createElement('script');
      script.textContent = code;
      document.body.append(script);
    }
  }, { once: true });
</script>
`);

export function createPreviewFrame(): Handler {
  return getOnly(({ reply, method }) => {
    reply.begin(200, ['content-type', 'text/html; charset=utf-8', 'content-length', String(frame.length)]);
    if (method === 'HEAD') reply.end();
    else reply.end(frame);
  });
}
