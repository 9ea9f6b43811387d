import type { PersonEvent } from '#contract/generations';

interface StreamListener {
  readonly arrived: (event: PersonEvent) => void;
  /** Nothing arrives at the moment; it is tried again. */
  readonly interrupted: () => void;
  /** The server will not have us (signed out), or a proxy answers in its place; it is tried again. */
  readonly refused: () => void;
}

export interface EventStream {
  /** Does not wait for the next attempt: the network is back. */
  openNow(): void;
  close(): void;
}

/**
 * The server's events. A stream that broke is opened again, at the address that says where it left off; so is one
 * that has been silent for longer than the server's heartbeats allow, because a network that went away without a
 * word breaks nothing.
 */
export function openEventStream(addressNow: () => string, listener: StreamListener): EventStream {
  let source: EventSource | undefined;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  open();
  return {
    openNow: open,
    close: () => {
      clearTimeout(timer);
      source?.close();
    },
  };

  function open(): void {
    source?.close();
    const opened = new EventSource(addressNow());
    source = opened;
    for (const type of eventTypes) {
      opened.addEventListener(type, (message: MessageEvent<string>) => {
        failures = 0;
        waitForSilence();
        listener.arrived(JSON.parse(message.data) as PersonEvent);
      });
    }
    opened.addEventListener('beat', () => waitForSilence());
    opened.addEventListener('open', () => waitForSilence());
    opened.addEventListener('error', () => {
      const isRefused = opened.readyState === EventSource.CLOSED;
      if (isRefused) listener.refused();
      else listener.interrupted();
      openLater(isRefused);
    });
    waitForSilence(longestOpeningMs);
  }

  function waitForSilence(longestMs = longestSilenceMs): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      listener.interrupted();
      open();
    }, longestMs);
  }

  /** Not all at the same moment: a service that comes back has many browsers in front of it. */
  function openLater(isRefused: boolean): void {
    source?.close();
    clearTimeout(timer);
    const waitMs = isRefused ? longestPauseMs : Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
    failures += 1;
    timer = setTimeout(open, waitMs * (0.75 + Math.random() / 2));
  }
}

/** Two heartbeats of the server and a little. */
const longestSilenceMs = 40_000;
/** The server says something as soon as it is there. */
const longestOpeningMs = 10_000;
const firstPauseMs = 250;
const longestPauseMs = 5000;

/** Every one of them: what is not named here is not heard. */
const eventTypes = Object.keys({
  hello: true,
  answer: true,
  chatChanged: true,
  chatRemoved: true,
  chatsChanged: true,
  foldersChanged: true,
  messagesAdded: true,
  spaceChanged: true,
  spaceLeft: true,
  generationStarted: true,
  generationEnded: true,
  sessionEnded: true,
} satisfies Record<PersonEvent['type'], true>);
