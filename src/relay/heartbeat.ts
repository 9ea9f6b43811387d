import type { ParsedRequest } from '#vocabulary/inference';
import { Roster, type RosterEntry } from '#vocabulary/roster';
import type { LinePlace } from '#vocabulary/sharing';
import { streamHeaders } from './reply-headers.ts';

/** One waiting stream. Whoever writes to it says so; that is all it costs. */
export interface Heartbeat extends Disposable {
  /** Counts up with every frame of the answer. */
  outputTokens: number;
  /** Set while the request waits in the line. */
  place: (() => LinePlace | undefined) | undefined;
  /** Counts up with every write. */
  writes: number;
  /** Set while the reader takes nothing. */
  isStalled: boolean;
}

const longestTickMs = 1000;

/** One timer for all open streams, instead of one each. Holds as many heartbeats as there are requests in flight. */
export function createHeartbeats(options: { readonly heartbeatMs: number }): {
  start(request: ParsedRequest): Heartbeat;
  stop(): void;
} {
  const heartbeats = new Roster<KeptHeartbeat>();
  const tickMs = Math.min(longestTickMs, options.heartbeatMs);
  const timer = setInterval(tick, tickMs);
  timer.unref();

  return {
    start: (request) => new KeptHeartbeat(request, heartbeats),
    stop: () => clearInterval(timer),
  };

  function tick(): void {
    for (const heartbeat of heartbeats.members()) {
      showPlace(heartbeat);
      sendHeartbeat(heartbeat);
    }
  }

  /** People in the chat see where they stand; over a socket it is told no sooner than a sign of life is due. */
  function showPlace({ place, request }: KeptHeartbeat): void {
    const now = request.door === 'chat' ? place?.() : undefined;
    if (now !== undefined) request.exchange.reply.showPlace(now);
  }

  function sendHeartbeat(heartbeat: KeptHeartbeat): void {
    const { request } = heartbeat;
    if (!request.wantsStream || heartbeat.isStalled) return;
    if (heartbeat.writes !== heartbeat.seenWrites) {
      heartbeat.seenWrites = heartbeat.writes;
      heartbeat.quietTicks = 0;
      return;
    }
    heartbeat.quietTicks++;
    if (heartbeat.quietTicks * tickMs < options.heartbeatMs) return;
    heartbeat.quietTicks = 0;
    const { reply } = request.exchange;
    if (reply.hasEnded) return;
    if (!reply.hasBegun) reply.begin(200, streamHeaders(undefined));
    reply.write(commentFor(heartbeat.place?.()));
  }
}

function commentFor(place: LinePlace | undefined): string {
  if (place === undefined) return ': keep-alive\n\n';
  return `: waiting place=${place.place} seconds=${place.seconds}\n\n`;
}

class KeptHeartbeat implements Heartbeat {
  readonly request: ParsedRequest;
  readonly #heartbeats: Roster<KeptHeartbeat>;
  readonly #entry: RosterEntry;
  outputTokens = 0;
  place: (() => LinePlace | undefined) | undefined;
  writes = 0;
  isStalled = false;
  seenWrites = 0;
  quietTicks = 0;

  constructor(request: ParsedRequest, heartbeats: Roster<KeptHeartbeat>) {
    this.request = request;
    this.#heartbeats = heartbeats;
    this.#entry = heartbeats.add(this);
  }

  [Symbol.dispose](): void {
    this.#heartbeats.remove(this.#entry);
  }
}
