import { isObject } from '#dialects/json-object';
import type { EngineDefinition } from '#vocabulary/catalogue';
import type { Peers } from '#vocabulary/peers';
import type { TokenUsage } from '#vocabulary/usage';

export type EngineTokens = Pick<TokenUsage, 'inputTokens' | 'cachedTokens' | 'outputTokens'>;

const names = ['inputTokens', 'cachedTokens', 'outputTokens'] as const;
/** Gateways of which it is remembered what they told, so that what they tell next is not counted twice. */
const maxRemembered = 64;

/**
 * An engine counts the tokens of all gateways, so each has to know what the others have used of it. Told are the sums
 * since the start, by engine; embedded engines are nobody else's.
 */
export function shareEngineTokens(
  peers: Peers,
  engines: () => readonly EngineDefinition[],
  usedElsewhere: (engineName: string, tokens: EngineTokens) => void,
): { used(engineName: string, tokens: EngineTokens): void } {
  const sums = new Map<string, EngineTokens>();
  const remembered = new Map<string, ReadonlyMap<string, EngineTokens>>();
  let hasHeard = false;

  peers.join({
    name: 'tokens/1',
    tell() {
      const shared = engines().filter(({ kind }) => kind !== 'embedded');
      return Object.fromEntries(shared.map(({ name }) => [name, sums.get(name) ?? noTokens]));
    },
    hear(told) {
      for (const [gatewayId, value] of told) {
        const now = readSums(value);
        const before = remembered.get(gatewayId);
        remembered.delete(gatewayId);
        remembered.set(gatewayId, now);
        // What was used before this gateway lived, no engine has counted since.
        if (hasHeard)
          for (const [name, sum] of now) usedElsewhere(name, combine(sum, before?.get(name) ?? noTokens, -1));
      }
      for (const gatewayId of remembered.keys())
        if (remembered.size > maxRemembered) remembered.delete(gatewayId);
      hasHeard = true;
    },
    lose() {},
  });

  return {
    used: (engineName, tokens) =>
      void sums.set(engineName, combine(sums.get(engineName) ?? noTokens, tokens, 1)),
  };
}

const noTokens: EngineTokens = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

function combine(one: EngineTokens, other: EngineTokens, sign: 1 | -1): EngineTokens {
  return {
    inputTokens: one.inputTokens + sign * other.inputTokens,
    cachedTokens: one.cachedTokens + sign * other.cachedTokens,
    outputTokens: one.outputTokens + sign * other.outputTokens,
  };
}

/** What is no sum is passed over: a gateway of another version may have told it. */
function readSums(value: unknown): ReadonlyMap<string, EngineTokens> {
  const sums = new Map<string, EngineTokens>();
  for (const [name, sum] of isObject(value) ? Object.entries(value) : [])
    if (isTokens(sum)) sums.set(name, sum);
  return sums;
}

function isTokens(value: unknown): value is EngineTokens {
  return isObject(value) && names.every((name) => Number.isFinite(value[name]));
}
