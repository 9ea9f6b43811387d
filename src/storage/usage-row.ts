import type { Insertable, Selectable } from 'kysely';
import type { Caller } from '#vocabulary/caller';
import type { DoorName, Ending, UsageRecord } from '#vocabulary/usage';
import type { UsageRecordsTable } from './tables.ts';

export function toUsageRow(record: UsageRecord): Insertable<UsageRecordsTable> {
  const { caller, usage } = record;
  return {
    request_id: record.requestId,
    started_at: record.startedAt,
    door: record.door,
    caller_kind: caller.kind,
    key_id: caller.kind === 'key' ? caller.keyId : null,
    person_id: caller.kind === 'network' ? null : caller.personId,
    network: caller.kind === 'network' ? caller.cidr : null,
    project: caller.kind === 'network' ? (caller.project ?? null) : null,
    address: record.address,
    endpoint: record.endpoint,
    model: record.model,
    engine: record.engine ?? null,
    ending: record.ending,
    status: record.status,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    reasoning_tokens: usage.reasoningTokens,
    is_estimated: usage.isEstimated ? 1 : 0,
    request_bytes: record.requestBytes,
    wait_ms: record.waitMs,
    first_byte_ms: record.firstByteMs ?? null,
    duration_ms: record.durationMs,
  };
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
  };
}

function toCaller(row: Selectable<UsageRecordsTable>): Caller {
  const personId = row.person_id ?? '';
  if (row.caller_kind === 'key') return { kind: 'key', keyId: row.key_id ?? '', personId };
  if (row.caller_kind === 'person') return { kind: 'person', personId };
  return { kind: 'network', cidr: row.network ?? '', project: row.project ?? undefined };
}
