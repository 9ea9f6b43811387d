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
  'receipt',
];

/** Adds records, chosen by `where`, to the sums of their days, always in the same order: who waits for whom is settled. */
export const addToDaySql = (where: string) => `
  INSERT INTO usage_days
    SELECT started_at / 86400000 AS day, coalesce(person_id, ''), coalesce(key_id, ''), coalesce(project, ''),
      coalesce(network, ''), door, model, count(*), sum(CASE WHEN ending <> 'completed' THEN 1 ELSE 0 END),
      sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(reasoning_tokens),
      sum(is_estimated * (input_tokens + output_tokens)), sum(cost)
    FROM usage_records WHERE ${where}
    GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (day, person_id, key_id, project, network, door, model) DO UPDATE SET
    ${summedColumns.map((column) => `${column} = usage_days.${column} + excluded.${column}`).join(', ')}`;

const summedColumns = [
  'requests',
  'unfinished_requests',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'estimated_tokens',
  'cost',
];

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
    record.receipt ?? null,
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
    ...(row.receipt === null ? {} : { receipt: row.receipt }),
  };
}

function toCaller(row: Selectable<UsageRecordsTable>): Caller {
  const personId = row.person_id ?? '';
  if (row.caller_kind === 'key') return { kind: 'key', keyId: row.key_id ?? '', personId };
  if (row.caller_kind === 'person') return { kind: 'person', personId };
  return { kind: 'network', cidr: row.network ?? '', project: row.project ?? undefined };
}
