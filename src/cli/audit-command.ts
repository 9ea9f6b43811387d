import { parseArgs } from 'node:util';
import type { AuditEntry } from '#vocabulary/audit';
import { exitStatus, WrongUse, type Command } from './command.ts';
import { readMoment } from './moments.ts';
import { type Books, withBooks } from './open-books.ts';

const usage = `Usage: gatehouse audit export [--since WHEN] [--until WHEN] [--kind KIND]
       gatehouse audit verify [--expect HASH]

Who did what to whom: sign-ins and failures, keys, roles, invitations, sign-in links. Entries are
added and never changed; each holds the hash of the one before.
export prints one JSON object per line, oldest first. verify reads the whole trail, says whether
anything was changed or is missing, and prints the hash of the last entry. Keep that hash elsewhere:
with --expect it shows later that the end was not cut off.

  --since WHEN     from then on: 30d, 12h, or a date like 2026-11-01
  --until WHEN     before then
  --kind KIND      only these, such as sign-in or role-changed
  --expect HASH    the trail must hold an entry with this hash
  --settings FILE  read this file instead of gatehouse.yaml`;

const options = {
  since: { type: 'string' },
  until: { type: 'string' },
  kind: { type: 'string' },
  expect: { type: 'string' },
  settings: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Export and verify the trail of sign-ins, keys and rights',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action, ...rest] = positionals;
    if (rest.length > 0) throw new WrongUse(`"${rest.join(' ')}" is too much.`);
    if (action === 'export') return withBooks(values.settings, (books) => exportTrail(books, values));
    if (action === 'verify') return withBooks(values.settings, (books) => verifyTrail(books, values.expect));
    throw new WrongUse('Say what to do: export or verify.');
  },
};

async function exportTrail({ audit }: Books, { since, until, kind }: Values): Promise<number> {
  const now = Date.now();
  const from = since === undefined ? -Infinity : readMoment(since, now, 'past');
  const to = until === undefined ? Infinity : readMoment(until, now, 'past');
  for await (const entry of audit.readAll()) {
    if (entry.at < from || entry.at >= to || (kind !== undefined && entry.kind !== kind)) continue;
    await print(toLine(entry));
  }
  return 0;
}

function toLine({ at, ...entry }: AuditEntry): string {
  return `${JSON.stringify({ at: new Date(at).toISOString(), ...entry })}\n`;
}

/** Waits for a slow reader, so that a long trail is never in memory. */
async function print(line: string): Promise<void> {
  if (process.stdout.write(line)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}

async function verifyTrail({ audit }: Books, expected: string | undefined): Promise<number> {
  const { entries, head, flaw } = await audit.verify(expected);
  if (flaw !== undefined) {
    process.stderr.write(`${flaw} The ${entries} entries before are sound.\n`);
    return exitStatus.failed;
  }
  process.stderr.write(`${entries} entries, nothing changed and nothing missing. The last one is\n`);
  process.stdout.write(`${head}\n`);
  return 0;
}
