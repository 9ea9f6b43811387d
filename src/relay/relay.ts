/**
 * Carries an engine's answer to the caller at the caller's pace and reads the usage in passing. Only whole frames
 * travel, so whatever breaks, the caller gets a proper ending. Never throws: failure is part of the outcome.
 */
import type { Clock } from '#vocabulary/clock';
import type { EngineStream, Outcome, ParsedRequest, Route } from '#vocabulary/inference';
import { carryAnswer } from './answer-carrier.ts';
import { createRewriter } from './rewriter.ts';
import { type Heartbeat, createHeartbeats } from './heartbeat.ts';
import { measureTiming } from './server-timing.ts';
import { StreamCarrier } from './stream-carrier.ts';

export interface RelayOptions {
  /** After so much silence a stream gets a comment, so that proxies and people do not give up. */
  readonly heartbeatMs: number;
  /** A reader who takes nothing for so long is cut off; the engine has others to serve. */
  readonly slowReaderMs: number;
  readonly speaksPublicForm: (kind: Route['engine']['kind']) => boolean;
  readonly clock: Clock;
}

export interface Relay {
  /** Keeps a waiting stream alive with comments until disposed, also before an engine has answered. */
  keepAlive(request: ParsedRequest): Heartbeat;
  carry(stream: EngineStream, route: Route, heartbeat: Heartbeat, waitMs: number): Promise<Outcome>;
  stop(): void;
}

export function createRelay(options: RelayOptions): Relay {
  const heartbeats = createHeartbeats(options);

  return {
    keepAlive: (request) => heartbeats.start(request),
    carry(stream, route, heartbeat, waitMs) {
      const rewriter = options.speaksPublicForm(route.engine.kind) ? undefined : createRewriter(route);
      const isEventStream = stream.contentType.startsWith('text/event-stream');
      const timing = measureTiming(route.request, waitMs, stream.firstByteMs, options.clock);
      return isEventStream
        ? new Promise((resolve) =>
            stream.read(new StreamCarrier(stream, route, rewriter, heartbeat, timing, resolve)),
          )
        : carryAnswer(stream, route, rewriter, timing);
    },
    stop: () => heartbeats.stop(),
  };
}
