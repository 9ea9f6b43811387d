interface EventListener<Event> {
  readonly arrived: (event: Event) => void;
  /** Nothing arrives at the moment; it is tried again. */
  readonly interrupted: () => void;
  readonly resumed: () => void;
  /** The server will not have us (signed out, gone), or a proxy answers in its place; then it is over. */
  readonly refused: () => void;
}

/**
 * Server-sent events with named types. A stream that broke is opened again where it left off, at once when the
 * browser is back online; so is one that has been silent for longer than the server's heartbeats allow, because
 * a network that went away without a word breaks nothing.
 */
export function listenToEvents<Event extends { readonly type: string }>(
  address: string,
  types: readonly Event['type'][],
  listener: EventListener<Event>,
): () => void {
  let lastSequence = '';
  let silence: ReturnType<typeof setTimeout> | undefined;
  let source = open();
  const onOffline = () => listener.interrupted();
  addEventListener('online', reopen);
  addEventListener('offline', onOffline);
  return stop;

  function open(): EventSource {
    const opened = new EventSource(lastSequence === '' ? address : `${address}?after=${lastSequence}`);
    for (const type of types) {
      opened.addEventListener(type, (message: MessageEvent<string>) => {
        lastSequence = message.lastEventId;
        waitForSilence();
        listener.arrived(JSON.parse(message.data) as Event);
      });
    }
    opened.addEventListener('beat', waitForSilence);
    opened.addEventListener('open', () => {
      waitForSilence();
      listener.resumed();
    });
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) listener.interrupted();
      else {
        stop();
        listener.refused();
      }
    });
    waitForSilence();
    return opened;
  }

  function waitForSilence(): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      listener.interrupted();
      reopen();
    }, longestSilenceMs);
  }

  function reopen(): void {
    source.close();
    source = open();
  }

  function stop(): void {
    clearTimeout(silence);
    removeEventListener('online', reopen);
    removeEventListener('offline', onOffline);
    source.close();
  }
}

/** Two heartbeats of the server and a little. */
const longestSilenceMs = 40_000;
