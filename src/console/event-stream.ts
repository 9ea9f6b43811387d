import type { Exchange } from '#vocabulary/exchange';

/** A reader who is this far behind is let go; it comes back and continues from what it has seen. */
const maxBufferedBytes = 1024 * 1024;
const heartbeatMs = 15_000;

/** Server-sent events over one exchange. Everything on it is harmless after the end. */
export interface EventStream {
  send(type: string, data: unknown): void;
  end(): void;
  /** Called once, however it ends; at once when it is over already. */
  onEnd(listener: () => void): void;
}

export function openEventStream(
  exchange: Exchange,
  headers: readonly string[],
  isStillWelcome: () => Promise<boolean>,
): EventStream {
  const { reply, cancellation } = exchange;
  let isOver = cancellation.isCancelled;
  const endListeners: (() => void)[] = [];
  if (!isOver) {
    reply.begin(200, ['content-type', 'text/event-stream', 'x-accel-buffering', 'no', ...headers]);
    // Something to read at once: some proxies hold the headers back until there is a body.
    reply.write(':\n\n');
  }
  const timer = setInterval(() => void beat(), heartbeatMs).unref();
  cancellation.onCancel(finish);

  return {
    send(type, data) {
      if (isOver) return;
      if (reply.bufferedBytes > maxBufferedBytes) {
        end();
        return;
      }
      reply.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end,
    onEnd(listener) {
      if (isOver) listener();
      else endListeners.push(listener);
    },
  };

  async function beat(): Promise<void> {
    const isWelcome = await isStillWelcome().catch(() => false);
    if (isOver) return;
    // An event, not a comment: pages cannot see comments, and take silence for a network that went away.
    if (isWelcome) reply.write('event: beat\ndata: {}\n\n');
    else end();
  }

  function end(): void {
    if (isOver) return;
    reply.end();
    finish();
  }

  function finish(): void {
    isOver = true;
    clearInterval(timer);
    for (const listener of endListeners.splice(0)) listener();
  }
}
