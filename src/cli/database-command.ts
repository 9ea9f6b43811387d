import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CopyReport } from '#storage/copy';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { type Command, WrongUse } from './command.ts';
import { silentLogger } from '#vocabulary/logger';
import { type Column, formatTable } from './table.ts';

export const databaseCommand: Command = {
  name: 'database',
  summary: 'Move the database from SQLite to PostgreSQL, or back',
  usage: `Usage: gatehouse database copy --from PLACE --to PLACE [--json]

Copies every row into an empty database, reads both sides again, compares them row by row, and only then makes the
copy count: what fails leaves the target as it was. No gateway may run on either meanwhile. The source stays as it is.

A PLACE is a data folder (its SQLite file), postgres://user:password@host/name, or env:NAME for a variable that
holds such an address, so that the password is not seen among the processes of the machine.

  --from PLACE  what is copied; it must have been used by this version
  --to PLACE    a folder without a database, or an empty PostgreSQL database
  --json        print what was copied as JSON

Usage that waits in the journal of a data folder is not copied: start a gateway with that folder on the new database,
and it is brought in.`,

  async run(args) {
    const [action, ...rest] = args;
    if (action !== 'copy') throw new WrongUse('There is one thing to do with the database: copy.');
    const { values } = parseArgs({
      args: rest,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    if (values.from === undefined || values.to === undefined)
      throw new WrongUse('Say what is copied with --from, and where to with --to.');
    const report = await copyBetween(readPlace(values.from), readPlace(values.to));
    if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
    else process.stdout.write(formatTable(columns, report.tables));
    const rows = report.tables.reduce((sum, table) => sum + table.rows, 0);
    process.stderr.write(
      `Copied ${rows} rows of ${report.tables.length} tables from ${report.from} to ${report.to}; read again on both sides, all the same.\n`,
    );
    return 0;
  },
};

type Place =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly address: string };

function readPlace(written: string): Place {
  const variable = /^env:(.+)$/.exec(written)?.[1];
  const text = variable === undefined ? written : process.env[variable];
  if (text === undefined) throw new WrongUse(`The variable ${variable} is not set.`);
  return /^postgres(?:ql)?:\/\//.test(text)
    ? { kind: 'postgres', address: text }
    : { kind: 'folder', path: resolve(text) };
}

async function copyBetween(from: Place, to: Place): Promise<CopyReport> {
  const [{ inspectJournals }, { copyToPostgres, copyToSqlite }] = await Promise.all([
    import('#accounting'),
    import('#storage/copy'),
  ]);
  for (const place of [from, to])
    if (place.kind === 'folder' && inspectJournals(place.path).livingOwners > 0)
      throw new OperatorProblem(`A service is running on ${place.path}. Stop it first.`);
  if (from.kind === 'folder' && to.kind === 'postgres')
    return await copyToPostgres(from.path, to.address, silentLogger);
  if (from.kind === 'postgres' && to.kind === 'folder')
    return await copyToSqlite(from.address, to.path, silentLogger);
  throw new WrongUse('One side must be a data folder and the other PostgreSQL.');
}

const columns: readonly Column<CopyReport['tables'][number]>[] = [
  { title: 'TABLE', cell: ({ name }) => name },
  { title: 'ROWS', align: 'right', cell: ({ rows }) => String(rows) },
  { title: 'DIGEST', cell: ({ digest }) => digest },
];
