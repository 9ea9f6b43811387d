import { createEventHub, type HubWord, type WindowWord } from './event-hub.ts';

/** The hub as a shared worker: one for all windows of this browser, gone with the last of them. */
const hub = createEventHub();

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  const window = { tell: (word: HubWord) => port.postMessage(word) };
  port.addEventListener('message', ({ data }: MessageEvent<WindowWord>) => hub.hear(window, data));
  port.start();
});
