import { systemClock } from '#vocabulary/clock';
import type { UsageOpening, UsageRecord } from '#vocabulary/usage';

export function sampleOpening(requestId: string): UsageOpening {
  return {
    requestId,
    startedAt: 1_794_700_000_000,
    door: 'proxy',
    caller: { kind: 'key', keyId: 'key_1', personId: 'person_1' },
    address: '192.0.2.7',
    endpoint: 'chat/completions',
    model: 'beta-4-scout',
    requestBytes: 1_001,
    project: 'everyone',
  };
}

export function sampleRecord(requestId: string): UsageRecord {
  return {
    ...sampleOpening(requestId),
    engine: 'gpu-ä "1"',
    ending: 'completed',
    status: 200,
    usage: { inputTokens: 250, outputTokens: 20, cachedTokens: 3, reasoningTokens: 4, isEstimated: false },
    waitMs: 1.5,
    firstByteMs: 30.25,
    durationMs: 900,
    cost: 0,
  };
}

/** The settings of a service that has none. */
export const plainAccounting = {
  durability: 'written',
  whenUnwritable: 'refuse',
  clock: systemClock,
} as const;
