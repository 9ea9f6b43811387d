import { parseArgs } from 'node:util';
import type { BulletinDesk, Incident, IncidentImpact } from '#vocabulary/bulletin';
import { WrongUse, type Command } from './command.ts';
import { type Books, withBooks } from './open-books.ts';
import { openBulletin } from './open-bulletin.ts';
import { type Column, formatTable } from './table.ts';

const usage = `Usage: gatehouse incidents list [--json]
       gatehouse incidents open TITLE TEXT [--impact IMPACT] [--model ID]…
       gatehouse incidents update ID TEXT
       gatehouse incidents resolve ID TEXT
       gatehouse incidents remove ID

What went wrong and what is done about it, in words, for the status page. A running server shows
changes within seconds.

  --impact IMPACT  maintenance, degraded or outage (degraded)
  --model ID       the model concerned; can be given again; without it, all
  --json           print as JSON
  --settings FILE  read this file instead of gatehouse.yaml`;

const options = {
  impact: { type: 'string', default: 'degraded' },
  model: { type: 'string', multiple: true, default: [] as string[] },
  json: { type: 'boolean', default: false },
  settings: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export const incidentsCommand: Command = {
  name: 'incidents',
  summary: 'Open, update and resolve incidents on the status page',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action = '', ...words] = positionals;
    const task = tasks.get(action);
    if (task === undefined) throw new WrongUse(`Say what to do: ${[...tasks.keys()].join(', ')}.`);
    if (words.length !== task.takes.length)
      throw new WrongUse(`Write it like: gatehouse incidents ${[action, ...task.takes].join(' ')}`);
    return withBooks(values.settings, async (books) => {
      await task.run({ desk: await openBulletin(books), books, values, words });
      return 0;
    });
  },
};

interface Task {
  readonly desk: BulletinDesk;
  readonly books: Books;
  readonly values: Values;
  readonly words: readonly string[];
}

const tasks: ReadonlyMap<string, { takes: readonly string[]; run: (task: Task) => Promise<void> }> = new Map([
  ['list', { takes: [], run: list }],
  ['open', { takes: ['TITLE', 'TEXT'], run: open }],
  ['update', { takes: ['ID', 'TEXT'], run: (task: Task) => update(task, false) }],
  ['resolve', { takes: ['ID', 'TEXT'], run: (task: Task) => update(task, true) }],
  ['remove', { takes: ['ID'], run: remove }],
]);

async function list({ desk, values }: Task): Promise<void> {
  const incidents = await desk.incidents(0);
  process.stdout.write(
    values.json ? `${JSON.stringify(incidents, null, 2)}\n` : formatTable(columns, incidents),
  );
}

const columns: readonly Column<Incident>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'IMPACT', cell: ({ impact }) => impact },
  { title: 'SINCE', cell: ({ startedAt }) => minute(startedAt) },
  { title: 'OVER', cell: ({ resolvedAt }) => (resolvedAt === undefined ? '-' : minute(resolvedAt)) },
  { title: 'MODELS', cell: ({ models }) => models.join(',') || 'all' },
  { title: 'TITLE', cell: ({ title }) => title.replaceAll(/\s+/g, ' ') },
];

async function open({ desk, books, values, words: [title = '', text = ''] }: Task): Promise<void> {
  const impact = readImpact(values.impact);
  const { id } = await desk.openIncident({ title, text, impact, models: values.model }, books.actor);
  process.stdout.write(`${id}\n`);
}

async function update({ desk, books, words: [id = '', text = ''] }: Task, resolves: boolean): Promise<void> {
  await desk.updateIncident(id, text, resolves, books.actor);
  process.stderr.write(resolves ? 'It is over.\n' : 'It is written down.\n');
}

async function remove({ desk, books, words: [id = ''] }: Task): Promise<void> {
  await desk.removeIncident(id, books.actor);
  process.stderr.write('It is removed.\n');
}

const impacts: readonly IncidentImpact[] = ['maintenance', 'degraded', 'outage'];

function readImpact(written: string): IncidentImpact {
  const impact = impacts.find((known) => known === written);
  if (impact !== undefined) return impact;
  throw new WrongUse(`There is no impact "${written}". Choose one of ${impacts.join(', ')}.`);
}

function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
