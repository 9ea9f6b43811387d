import type { PersonEvent } from '#contract/generations';
import { createEventHub, type HubWord, type WindowWord } from './event-hub.ts';

export interface PersonStreamListener {
  readonly arrived: (event: PersonEvent) => void;
  /** Nothing arrives at the moment; it is tried again. The next event is `hello`. */
  readonly lost: (isRefused: boolean) => void;
}

/** Everything the server tells this person, until the returned function is called. */
export function listenToPerson(
  personId: string,
  address: string,
  listener: PersonStreamListener,
): () => void {
  const { say, isShared } = connect((word) => {
    if (word.kind === 'event') listener.arrived(word.event);
    else listener.lost(word.isRefused);
  });
  const join = () => say({ kind: 'join', personId, address });
  const leave = () => say({ kind: 'leave' });
  const listeners = new AbortController();
  const { signal } = listeners;
  addEventListener('online', () => say({ kind: 'openNow' }), { signal });
  addEventListener('offline', () => listener.lost(false), { signal });
  addEventListener('pagehide', leave, { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && join(), { signal });
  // Windows that share nothing would use up the connections of the browser: only the one in view listens.
  if (!isShared) {
    const follow = () => (document.visibilityState === 'visible' ? join() : leave());
    document.addEventListener('visibilitychange', follow, { signal });
  }
  join();
  return () => {
    listeners.abort();
    leave();
  };
}

function connect(hear: (word: HubWord) => void): {
  readonly say: (word: WindowWord) => void;
  readonly isShared: boolean;
} {
  if (typeof SharedWorker === 'function') {
    const { port } = new SharedWorker(new URL('./event-hub-worker.ts', import.meta.url), { type: 'module' });
    port.addEventListener('message', ({ data }: MessageEvent<HubWord>) => hear(data));
    port.start();
    return { say: (word) => port.postMessage(word), isShared: true };
  }
  const hub = createEventHub();
  const window = { tell: hear };
  return { say: (word) => hub.hear(window, word), isShared: false };
}
