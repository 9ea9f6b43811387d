import { parseArgs } from 'node:util';
import type { CatalogueDesk, CatalogueList, EntryFields } from '#vocabulary/catalogue-desk';
import type { Actor } from '#vocabulary/audit';
import { silentLogger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { Refusal } from '#vocabulary/refusal';
import { tryEntry } from './catalogue-try.ts';
import { WrongUse, type Command } from './command.ts';
import { withBooks } from './open-books.ts';
import { formatTable } from './table.ts';

const usage = `Usage: gatehouse catalogue list [--json]
       gatehouse catalogue add engine|model JSON
       gatehouse catalogue change engine|model NAME JSON
       gatehouse catalogue remove engine|model NAME
       gatehouse catalogue try engine|model NAME|JSON [--model NAME]

Engines and models beside those of the settings file: the same that administrators keep on the web. JSON is
an entry in the form of the settings file, such as
  '{"name": "gpu-3", "kind": "vllm", "url": "http://10.0.0.7:8000"}'
  '{"id": "delta-70b", "engines": [{"engine": "gpu-3", "model": "org/delta"}]}'
It is checked as the file is, and nothing with a mistake is kept. change takes the place of the whole entry.
A running server takes changes within seconds; running answers go on.
try asks a real question of an engine, or of the first engine of a model, and prints the answer: of one that
is served, by its name, or of an entry that is not kept yet. Nothing is kept. Exit status 1 without an answer.

  --json           print the entries as JSON, credentials masked
  --model NAME     which model of an engine is tried
  --settings FILE  read this file instead of gatehouse.yaml`;

export const catalogueCommand: Command = {
  name: 'catalogue',
  summary: 'List, add, change, remove and try engines and models beside the settings file',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        settings: { type: 'string' },
        model: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const wish = readWish(positionals);
    return withBooks(values.settings, async (books) => {
      const { audit, actor } = books;
      const { createCatalogueDesk, loadSettings, shareCatalogue } = await import('#settings');
      const load = (managedText?: string) =>
        loadSettings({
          file: values.settings,
          environment: process.env,
          workingDirectory: process.cwd(),
          managedText,
        });
      // A server that runs sees the changed file by itself.
      const source = { load, reload: () => {} };
      const started = load();
      const { newsBoard, serviceNotes: notes } = books.storage;
      const { file } = started.managed;
      const sharing = { notes, file, check: load, reload: () => {}, peers: undefined, logger: silentLogger };
      const shared = newsBoard && shareCatalogue(sharing);
      await shared?.pull();
      const desk = createCatalogueDesk({ started, source, audit, shared });
      if (wish.action === 'list') print(desk.list(), values.json);
      else if (wish.action === 'try') return tryEntry(books, desk, { ...wish, modelName: values.model });
      else process.stderr.write(`${await change(desk, wish, actor)}\n`);
      return 0;
    });
  },
};

type Wish =
  | { readonly action: 'list' }
  | { readonly action: 'try'; readonly list: CatalogueList; readonly what: string | EntryFields }
  | { readonly action: 'add'; readonly list: CatalogueList; readonly entry: EntryFields }
  | { readonly action: 'remove'; readonly list: CatalogueList; readonly name: string }
  | {
      readonly action: 'change';
      readonly list: CatalogueList;
      readonly name: string;
      readonly entry: EntryFields;
    };

async function change(
  desk: CatalogueDesk,
  wish: Exclude<Wish, { action: 'list' | 'try' }>,
  by: Actor,
): Promise<string> {
  try {
    if (wish.action === 'remove') {
      await desk.remove(wish.list, wish.name, by);
      return `${wish.name} is removed.`;
    }
    if (wish.action === 'change') {
      await desk.change(wish.list, wish.name, wish.entry, by);
      return `${wish.name} is changed.`;
    }
    await desk.add(wish.list, wish.entry, by);
    return `${String(wish.entry[wish.list === 'engines' ? 'name' : 'id'])} is added.`;
  } catch (cause) {
    // The form on the web puts the sentence beside the field; here it has to name it.
    if (cause instanceof Refusal && cause.code === 'invalid_parameter' && cause.param !== null)
      throw new OperatorProblem(`${cause.param}: ${cause.message}`, cause);
    throw cause;
  }
}

function readWish([action, what, ...rest]: readonly string[]): Wish {
  if (action === 'list' && what === undefined) return { action };
  const lists: Readonly<Record<string, CatalogueList>> = { engine: 'engines', model: 'models' };
  const list = lists[what ?? ''];
  const [first, second, ...others] = rest;
  if (list !== undefined && first !== undefined && others.length === 0) {
    if (action === 'add' && second === undefined) return { action, list, entry: readEntry(first) };
    if (action === 'try' && second === undefined)
      return { action, list, what: first.trimStart().startsWith('{') ? readEntry(first) : first };
    if (action === 'remove' && second === undefined) return { action, list, name: first };
    if (action === 'change' && second !== undefined)
      return { action, list, name: first, entry: readEntry(second) };
  }
  throw new WrongUse('Say what to do: list, or add, change, remove or try with an engine or a model.');
}

function readEntry(text: string): EntryFields {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    throw new WrongUse('The entry is not JSON.');
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new WrongUse('The entry is not a JSON object.');
  return { ...entry };
}

type Lists = ReturnType<CatalogueDesk['list']>;

function print({ engines, models }: Lists, isJson: boolean): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ engines, models }, null, 2)}\n`);
    return;
  }
  const rows = [
    ...engines.map((entry) => ({ ...entry, kind: 'engine' })),
    ...models.map((entry) => ({ ...entry, kind: 'model' })),
  ];
  const columns = [
    { title: 'KIND', cell: ({ kind }: (typeof rows)[number]) => kind },
    { title: 'NAME', cell: ({ name }: (typeof rows)[number]) => name },
    { title: 'FROM', cell: ({ origin }: (typeof rows)[number]) => origin },
  ];
  process.stdout.write(formatTable(columns, rows));
}
