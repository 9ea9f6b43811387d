import type { Selectable } from 'kysely';
import type { Caller } from '#vocabulary/caller';
import { everyone } from '#vocabulary/sharing';
import type { DoorName, Ending, UsageRecord } from '#vocabulary/usage';
import type { UsageRecordsTable } from './tables.ts';

/** In the order of `toUsageValues`. */
export const usageColumns: readonly (keyof UsageRecordsTable)[] = [
  'request_id',
  'started_at',
  'door',
  'caller_kind',
  'key_id',
  'person_id',
  'network',
  'project',
  'address',
  'endpoint',
  'model',
  'engine',
  'ending',
  'status',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'is_estimated',
  'request_bytes',
  'wait_ms',
  'first_byte_ms',
  'duration_ms',
  'cost',
  'continuations',
];

/** Adds one record, by its id, to the sums of its day. */
export const addToDaySql = `
  INSERT INTO usage_days
    SELECT started_at / 86400000, coalesce(person_id, ''), coalesce(key_id, ''), coalesce(project, ''),
      coalesce(network, ''), door, model, 1, ending <> 'completed', input_tokens, output_tokens, cached_tokens,
      reasoning_tokens, is_estimated * (input_tokens + output_tokens), cost
    FROM usage_records WHERE request_id = ?
  ON CONFLICT DO UPDATE SET
    requests = requests + 1,
    unfinished_requests = unfinished_requests + excluded.unfinished_requests,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cached_tokens = cached_tokens + excluded.cached_tokens,
    reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
    estimated_tokens = estimated_tokens + excluded.estimated_tokens,
    cost = cost + excluded.cost`;

/**
 * Numbers come from engines; one that is not a number must not keep all the records beside it out of the books.
 */
export function toUsageValues(record: UsageRecord): (string | number | null)[] {
  const { caller, usage } = record;
  return [
    record.requestId,
    whole(record.startedAt),
    record.door,
    caller.kind,
    caller.kind === 'key' ? caller.keyId : null,
    caller.kind === 'network' ? null : caller.personId,
    caller.kind === 'network' ? caller.cidr : null,
    record.project,
    record.address,
    record.endpoint,
    record.model,
    record.engine ?? null,
    record.ending,
    whole(record.status),
    whole(usage.inputTokens),
    whole(usage.outputTokens),
    whole(usage.cachedTokens),
    whole(usage.reasoningTokens),
    usage.isEstimated ? 1 : 0,
    whole(record.requestBytes),
    duration(record.waitMs),
    record.firstByteMs === undefined ? null : duration(record.firstByteMs),
    duration(record.durationMs),
    duration(record.cost),
    whole(record.continuations ?? 0),
  ];
}

function whole(value: number): number {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.round(value) : 0;
}

function duration(valueMs: number): number {
  return Number.isFinite(valueMs) ? valueMs : 0;
}

export function toUsageRecord(row: Selectable<UsageRecordsTable>): UsageRecord {
  return {
    requestId: row.request_id,
    startedAt: row.started_at,
    door: row.door as DoorName,
    caller: toCaller(row),
    address: row.address,
    endpoint: row.endpoint,
    model: row.model,
    requestBytes: row.request_bytes,
    project: row.project ?? everyone,
    engine: row.engine ?? undefined,
    ending: row.ending as Ending,
    status: row.status,
    usage: {
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      cachedTokens: row.cached_tokens,
      reasoningTokens: row.reasoning_tokens,
      isEstimated: row.is_estimated === 1,
    },
    waitMs: row.wait_ms,
    firstByteMs: row.first_byte_ms ?? undefined,
    durationMs: row.duration_ms,
    cost: row.cost,
    ...(row.continuations > 0 ? { continuations: row.continuations } : {}),
  };
}

function toCaller(row: Selectable<UsageRecordsTable>): Caller {
  const personId = row.person_id ?? '';
  if (row.caller_kind === 'key') return { kind: 'key', keyId: row.key_id ?? '', personId };
  if (row.caller_kind === 'person') return { kind: 'person', personId };
  return { kind: 'network', cidr: row.network ?? '', project: row.project ?? undefined };
}
