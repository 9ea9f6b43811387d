/**
 * Carries an engine's answer to the caller at the caller's pace and reads the usage in passing. Only whole frames
 * travel, so whatever breaks, the caller gets a proper ending. Never throws: failure is part of the outcome.
 */
import type { Clock } from '#vocabulary/clock';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { EngineStream, Outcome, ParsedRequest, Route } from '#vocabulary/inference';
import type { TokenUsage } from '#vocabulary/usage';
import { carryAnswer } from './answer-carrier.ts';
import { createRewriter } from './rewriter.ts';
import { type Heartbeat, createHeartbeats } from './heartbeat.ts';
import { measureTiming } from './server-timing.ts';
import { StreamCarrier } from './stream-carrier.ts';
import { isGeneration } from './strays.ts';
import { readBegun } from './transcript.ts';
import { WholeInFrames } from './whole-in-frames.ts';

export interface RelayOptions {
  /** After so much silence a stream gets a comment, so that proxies and people do not give up. */
  readonly heartbeatMs: number;
  readonly speaksPublicForm: (kind: Route['engine']['kind']) => boolean;
  readonly clock: Clock;
}

export interface Relay {
  /** Keeps a waiting stream alive with comments until disposed, also before an engine has answered. */
  keepAlive(request: ParsedRequest): Heartbeat;
  /**
   * The end of the answer is held back in the outcome. `follow` is told how to read what was used so far. With `begun`
   * the stream is the rest of an answer whose engine died.
   */
  carry(
    stream: EngineStream,
    route: Route,
    heartbeat: Heartbeat,
    waitMs: number,
    follow: (readUsage: () => TokenUsage) => void,
    begun?: BegunAnswer,
  ): Promise<Outcome>;
  /** What a caller has already got of an answer whose gateway died; undefined when nobody could go on with it. */
  readBegun(request: ParsedRequest, frames: readonly Buffer[], lostGateways: number): BegunAnswer | undefined;
  stop(): void;
}

export function createRelay(options: RelayOptions): Relay {
  const heartbeats = createHeartbeats(options);

  return {
    keepAlive: (request) => heartbeats.start(request),
    carry(stream, route, heartbeat, waitMs, follow, begun) {
      const rewriter = options.speaksPublicForm(route.engine.kind) ? undefined : createRewriter(route);
      const isEventStream = stream.contentType.startsWith('text/event-stream');
      const timing = measureTiming(route.request, waitMs, stream.firstByteMs, options.clock);
      const { wantsStream, endpoint, exchange } = route.request;
      // Callers get what they asked for, whatever form an engine chose.
      if (!wantsStream || !(isEventStream || isGeneration(endpoint)))
        return carryAnswer(stream, route, rewriter, timing);
      const frames = isEventStream ? stream : new WholeInFrames(stream, exchange.memory);
      return new Promise((finish) => {
        const parts = { stream: frames, route, rewriter, heartbeat, timing, begun, finish };
        const carrier = new StreamCarrier(parts);
        follow(() => carrier.usage());
        frames.read(carrier);
      });
    },
    readBegun,
    stop: () => heartbeats.stop(),
  };
}
