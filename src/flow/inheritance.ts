import type { Relay } from '#relay';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { Outcome, ParsedRequest } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import type { TokenUsage } from '#vocabulary/usage';
import { blank } from './endings.ts';

/** What a gateway that died has left of an answer. */
export interface Inheritance {
  /** As the caller has got them. */
  readonly frames: readonly Buffer[];
  readonly lostGateways: number;
}

export interface InheritedAnswer {
  /** As if an engine had died in the middle of it; undefined when nothing was written, and all of it is asked for anew. */
  readonly outcome: Outcome | undefined;
  /**
   * What this gateway has to answer for. The prompt, and what was written until then, stand on the books under the id
   * that the request had at the gateway that died.
   */
  ownPart(readUsage: () => TokenUsage, begun: BegunAnswer | undefined): () => TokenUsage;
  withOwnPart(outcome: Outcome, begun: BegunAnswer | undefined): Outcome;
}

/** Throws a refusal where nobody could go on. */
export function inherit(relay: Relay, request: ParsedRequest, inheritance: Inheritance): InheritedAnswer {
  const { frames, lostGateways } = inheritance;
  const begun = frames.length === 0 ? undefined : relay.readBegun(request, frames, lostGateways);
  if (frames.length > 0 && begun === undefined) throw gatewayDied();
  let before: Pick<BegunAnswer, 'outputTokens' | 'reasoningTokens'> | undefined;
  return {
    outcome: begun && { ...blank('engine-failed', 200), begun, refusal: gatewayDied() },
    ownPart: (readUsage, counted) => () => less(readUsage(), counted),
    withOwnPart: (outcome, counted) => ({ ...outcome, usage: less(outcome.usage, counted) }),
  };

  /** As it was counted for the first engine that goes on: what the next ones are given was written here. */
  function less(all: TokenUsage, counted: BegunAnswer | undefined): TokenUsage {
    before ??= counted ?? { outputTokens: 0, reasoningTokens: 0 };
    return {
      ...all,
      inputTokens: 0,
      cachedTokens: 0,
      outputTokens: Math.max(0, all.outputTokens - before.outputTokens),
      reasoningTokens: Math.max(0, all.reasoningTokens - before.reasoningTokens),
    };
  }
}

export function gatewayDied(): Refusal {
  return new Refusal(
    'stream_not_kept',
    'The gateway that wrote this answer is gone, and nobody can go on with it. What came before is genuine but incomplete. Ask again.',
  );
}
