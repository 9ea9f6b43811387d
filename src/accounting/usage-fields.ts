import type { Caller } from '#vocabulary/caller';
import { everyone } from '#vocabulary/sharing';
import type { DoorName, Ending, UsageOpening, UsageRecord } from '#vocabulary/usage';

/**
 * Openings and records as bare lists: a third of the work and half of the bytes of objects with names, on a
 * path that every request takes twice. A journal may be read by a later version than wrote it, so the order
 * never changes; what needs another order gets another letter in front of its journal entry.
 */
type OpeningFields = [
  startedAt: number,
  door: DoorName,
  callerKind: Caller['kind'],
  /** The key, the network or the person, by the kind of caller. */
  holder: string,
  /** The key's person, or the network's project. */
  owner: string | null,
  address: string,
  endpoint: string,
  model: string,
  requestBytes: number,
];

type RecordFields = [
  ...OpeningFields,
  engine: string | null,
  ending: Ending,
  status: number,
  inputTokens: number,
  outputTokens: number,
  cachedTokens: number,
  reasoningTokens: number,
  isEstimated: 0 | 1,
  waitMs: number,
  firstByteMs: number | null,
  durationMs: number,
  /** From here on missing in journals of earlier versions. */
  project?: string,
  cost?: number,
  continuations?: number,
  /** Where earlier versions put it. */
  receipt?: string,
];

/** Before a receipt, which is JSON itself: inside the list every one of its quotes would have to be escaped. */
const receiptMark = '\t';

export function listOpening(opening: UsageOpening): string {
  const { caller } = opening;
  const fields: [...OpeningFields, project: string] = [
    opening.startedAt,
    opening.door,
    caller.kind,
    holderOf(caller),
    ownerOf(caller),
    opening.address,
    opening.endpoint,
    opening.model,
    opening.requestBytes,
    opening.project,
  ];
  return JSON.stringify(fields);
}

export function listRecord(record: UsageRecord): string {
  const { caller, usage } = record;
  const fields: RecordFields = [
    record.startedAt,
    record.door,
    caller.kind,
    holderOf(caller),
    ownerOf(caller),
    record.address,
    record.endpoint,
    record.model,
    record.requestBytes,
    record.engine ?? null,
    record.ending,
    record.status,
    usage.inputTokens,
    usage.outputTokens,
    usage.cachedTokens,
    usage.reasoningTokens,
    usage.isEstimated ? 1 : 0,
    record.waitMs,
    record.firstByteMs ?? null,
    record.durationMs,
    record.project,
    record.cost,
    record.continuations ?? 0,
  ];
  const json = JSON.stringify(fields);
  return record.receipt === undefined ? json : json + receiptMark + record.receipt;
}

export function readOpening(requestId: string, json: string): UsageOpening {
  const fields = JSON.parse(json) as [...OpeningFields, project?: string];
  return toOpening(requestId, fields, fields[9]);
}

/** A list holds no bare tab: JSON writes it as an escape. */
export function readRecord(requestId: string, text: string): UsageRecord {
  const mark = text.indexOf(receiptMark);
  const fields = JSON.parse(mark < 0 ? text : text.slice(0, mark)) as RecordFields;
  const receipt = mark < 0 ? fields[23] : text.slice(mark + 1);
  return {
    ...toOpening(requestId, fields, fields[20]),
    engine: fields[9] ?? undefined,
    ending: fields[10],
    status: fields[11],
    usage: {
      inputTokens: fields[12],
      outputTokens: fields[13],
      cachedTokens: fields[14],
      reasoningTokens: fields[15],
      isEstimated: fields[16] === 1,
    },
    waitMs: fields[17],
    firstByteMs: fields[18] ?? undefined,
    durationMs: fields[19],
    cost: fields[21] ?? 0,
    ...(fields[22] ? { continuations: fields[22] } : {}),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

function toOpening(
  requestId: string,
  fields: readonly [...OpeningFields, ...unknown[]],
  project: string | undefined,
): UsageOpening {
  return {
    requestId,
    startedAt: fields[0],
    door: fields[1],
    caller: toCaller(fields[2], fields[3], fields[4]),
    address: fields[5],
    endpoint: fields[6],
    model: fields[7],
    requestBytes: fields[8],
    project: project ?? everyone,
  };
}

function holderOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.keyId;
  return caller.kind === 'network' ? caller.cidr : caller.personId;
}

function ownerOf(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.personId;
  return caller.kind === 'network' ? (caller.project ?? null) : null;
}

function toCaller(kind: Caller['kind'], holder: string, owner: string | null): Caller {
  if (kind === 'key') return { kind, keyId: holder, personId: owner ?? '' };
  if (kind === 'network') return { kind, cidr: holder, project: owner ?? undefined };
  return { kind, personId: holder };
}
