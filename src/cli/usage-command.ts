import { parseArgs } from 'node:util';
import type { UsageGrouping, UsageReportRow, UsageTotals } from '#vocabulary/stores';
import { WrongUse, type Command } from './command.ts';
import { readMoment } from './moments.ts';
import { withBooks } from './open-books.ts';
import { findPerson } from './open-project-desk.ts';
import { printDrift } from './usage-drift.ts';
import { formatCsv, formatTable, type Column } from './table.ts';

const usage = `Usage: gatehouse usage [--by key|project|model|day|person|door|network] [--since WHEN] [--until WHEN]
                       [--project ID] [--person EMAIL] [--csv | --json]
       gatehouse usage drift [--json]

Says who used what: requests and tokens of both doors and the web chat. Days begin at midnight UTC.
Requests of the last second may still be missing while the server runs. \`drift\` compares what the
running service counted in the last 24 hours with the engines' own counters.

  --by GROUP       one line per key, project, model, day, person, door or network (model)
  --since WHEN     7d, 12h, or a date like 2026-11-01 (30d)
  --until WHEN     the same, up to but not including that moment (now)
  --project ID     only what counts for this project
  --person EMAIL   only what this person used
  --csv, --json    print it for a spreadsheet or a program
  --settings FILE  read this file instead of gatehouse.yaml`;

export const usageCommand: Command = {
  name: 'usage',
  summary: 'Say who used what',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        by: { type: 'string', default: 'model' },
        since: { type: 'string', default: '30d' },
        until: { type: 'string' },
        project: { type: 'string' },
        person: { type: 'string' },
        csv: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        settings: { type: 'string' },
      },
    });
    const [what, ...tooMany] = positionals;
    if ((what !== undefined && what !== 'drift') || tooMany.length > 0)
      throw new WrongUse(`What is "${positionals.join(' ')}"? Only drift can be asked for by name.`);
    if (what === 'drift') return withBooks(values.settings, (books) => printDrift(books, values.json));
    if (values.csv && values.json) throw new WrongUse('Choose one of --csv and --json.');
    const now = Date.now();
    const by = readGrouping(values.by);
    const since = readMoment(values.since, now, 'past');
    const until = values.until === undefined ? undefined : readMoment(values.until, now, 'past');
    return withBooks(values.settings, async (books) => {
      const { project, person } = values;
      const personId = person === undefined ? undefined : (await findPerson(books, person)).id;
      const rows = await books.storage.usage.report({ by, since, until, project, personId });
      const report: Report = { by, since, until: until ?? now, rows, total: addUp(rows) };
      process.stdout.write(values.json ? toJson(report) : values.csv ? toCsv(report) : toTable(report));
      return 0;
    });
  },
};

interface Report {
  readonly by: UsageGrouping;
  readonly since: number;
  readonly until: number;
  readonly rows: readonly UsageReportRow[];
  readonly total: UsageTotals;
}

const groupings: readonly UsageGrouping[] = ['key', 'project', 'model', 'day', 'person', 'door', 'network'];

function readGrouping(written: string): UsageGrouping {
  const grouping = groupings.find((known) => known === written);
  if (grouping !== undefined) return grouping;
  throw new WrongUse(`Usage cannot be shown by "${written}". Choose one of ${groupings.join(', ')}.`);
}

const measures = [
  ['requests', 'REQUESTS'],
  ['unfinishedRequests', 'UNFINISHED'],
  ['inputTokens', 'INPUT'],
  ['outputTokens', 'OUTPUT'],
  ['cachedTokens', 'CACHED'],
  ['reasoningTokens', 'REASONING'],
  ['estimatedTokens', 'ESTIMATED'],
] as const satisfies readonly (readonly [keyof UsageTotals, string])[];

function addUp(rows: readonly UsageReportRow[]): UsageTotals {
  const sum = (measure: keyof UsageTotals) => rows.reduce((total, row) => total + row[measure], 0);
  return {
    requests: sum('requests'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    reasoningTokens: sum('reasoningTokens'),
    estimatedTokens: sum('estimatedTokens'),
    unfinishedRequests: sum('unfinishedRequests'),
  };
}

function toTable({ by, since, until, rows, total }: Report): string {
  const columns: readonly Column<UsageReportRow>[] = [
    { title: by.toUpperCase(), cell: ({ label }) => label },
    ...measures.map(([measure, title]): Column<UsageReportRow> => ({
      title,
      align: 'right',
      cell: (row) => row[measure].toLocaleString('en'),
    })),
  ];
  const table = formatTable(columns, [...rows, { group: '', label: 'total', ...total }]);
  const period = `\n${new Date(since).toISOString()} to ${new Date(until).toISOString()}\n`;
  if (total.estimatedTokens === 0) return table + period;
  return `${table}${period}Estimated tokens are part of input and output; nobody measured them, because the engine or the caller left early.\n`;
}

function toCsv({ by, rows }: Report): string {
  const titles = [by, 'label', ...measures.map(([measure]) => measure)];
  return formatCsv([
    titles,
    ...rows.map((row) => [row.group, row.label, ...measures.map(([measure]) => row[measure])]),
  ]);
}

function toJson({ since, until, ...report }: Report): string {
  const period = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  return `${JSON.stringify({ ...period, ...report }, null, 2)}\n`;
}
