import { crc32 } from 'node:zlib';
import type { UsageOpening, UsageRecord } from '#vocabulary/usage';
import { listOpening, listRecord } from './usage-fields.ts';

/**
 * An entry is one line of text: a letter, the request id, a blank, and what `usage-fields.ts` makes of the rest. `O` is an opening, `C` a
 * checkpoint (the record as it would be if the request ended here) and `S` the settlement. In the file a CRC-32 of
 * the entry, eight hexadecimal digits and a blank, stands before it.
 */
export interface JournalEntry {
  readonly kind: 'opening' | 'checkpoint' | 'settlement';
  readonly requestId: string;
  readonly json: string;
}

export function writeOpening(opening: UsageOpening): string {
  return `O${opening.requestId} ${listOpening(opening)}\n`;
}

export function writeCheckpoint(record: UsageRecord): string {
  return `C${record.requestId} ${listRecord(record)}\n`;
}

export function writeSettlement(record: UsageRecord): string {
  return `S${record.requestId} ${listRecord(record)}\n`;
}

/** Takes entries, each with its line end, and gives the lines of the file. */
export function sealEntries(entries: string): string {
  let lines = '';
  let start = 0;
  for (let end = entries.indexOf('\n'); end >= 0; end = entries.indexOf('\n', start)) {
    const entry = entries.slice(start, end);
    lines += `${checksumOf(entry)} ${entry}\n`;
    start = end + 1;
  }
  return lines;
}

const checksumLength = 8;

const kinds: Readonly<Record<string, JournalEntry['kind']>> = {
  O: 'opening',
  C: 'checkpoint',
  S: 'settlement',
};

/**
 * Takes a line without its end. Undefined when it is not what was written: torn, overwritten or foreign. Throws at what
 * was written by a later version: its journal stays until somebody comes who can read it.
 */
export function readLine(line: string): JournalEntry | undefined {
  const entry = line.slice(checksumLength + 1);
  if (line.charAt(checksumLength) !== ' ' || line.slice(0, checksumLength) !== checksumOf(entry))
    return undefined;
  const kind = kinds[entry.charAt(0)];
  const blank = entry.indexOf(' ');
  if (kind === undefined) throw new Error('a journal holds entries of a newer version of the program');
  return { kind, requestId: entry.slice(1, blank), json: entry.slice(blank + 1) };
}

function checksumOf(entry: string): string {
  const checksum = crc32(entry);
  return fourDigits(checksum >>> 16) + fourDigits(checksum & 0xffff);
}

/** Hexadecimal. The number as a whole is too large for V8's short ways: its `toString` took longer than the checksum. */
function fourDigits(half: number): string {
  return (twoDigits[half >>> 8] ?? '') + (twoDigits[half & 0xff] ?? '');
}

const twoDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
