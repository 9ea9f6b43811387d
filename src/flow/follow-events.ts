import { eventStreamHeaders } from '#dialects/sse';
import type { EventLog } from '#responses';
import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';

const framesAtOnce = 64;
const quietMs = 15_000;

/** Sends what a log holds behind a number, at the reader's pace, and what is added until it is over. */
export function followEvents(exchange: Exchange, log: EventLog, after: number): void {
  const { reply, cancellation } = exchange;
  let position = after;
  let isStalled = false;
  if (log.after(after, 0) === undefined)
    throw new Refusal('invalid_request', 'The events that you ask for are no longer there.', {
      param: 'starting_after',
    });
  // Whoever was handed through to a gateway that died has had the beginning.
  if (!reply.hasBegun) reply.begin(200, eventStreamHeaders);
  const forget = log.onMore(send);
  // Nobody between us and the reader is to take a long silence for the end.
  const beat = setInterval(() => {
    if (!isStalled && !reply.hasEnded) reply.write(': keep-alive\n\n');
  }, quietMs).unref();
  cancellation.onCancel(stop);
  send();

  function send(): void {
    while (!isStalled && !reply.hasEnded) {
      const entries = log.after(position, framesAtOnce);
      const last = entries?.at(-1);
      if (entries === undefined || last === undefined) {
        // Too slow a reader loses the rest, and sees that by the missing end.
        if (entries === undefined || log.isOver) {
          stop();
          reply.end();
        }
        return;
      }
      position = last.sequence;
      if (!reply.write(entries.map(({ frame }) => frame).join(''))) waitForReader();
    }
  }

  function waitForReader(): void {
    isStalled = true;
    reply.onDrain(() => {
      isStalled = false;
      send();
    });
  }

  function stop(): void {
    forget();
    clearInterval(beat);
  }
}
