import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { presetWishes } from '#contract/presets';
import { systemClock } from '#vocabulary/clock';
import type { Preset, PresetDesk, PresetOwner, PresetWishes } from '#vocabulary/presets';
import { everyone } from '#vocabulary/sharing';
import { WrongUse, type Command } from './command.ts';
import { type Books, withBooks } from './open-books.ts';
import { openProjectDesk } from './open-project-desk.ts';
import { type Column, formatTable } from './table.ts';

const usage = `Usage: gatehouse presets list [--project ID] [--json]
       gatehouse presets put NAME [--project ID] [--description TEXT] [--model MODEL] [--effort LEVEL]
                             [--instructions FILE] [--parameters JSON] [--prompt TEXT]
       gatehouse presets remove NAME [--project ID]

Ways of asking that everybody finds behind a slash in the chat. "put" makes one or replaces it.
Where names are alike, people's own come first, then those of the project of the chat, then these.

  --project ID         for the chats of this project alone
  --description TEXT   what it is for, in a few words
  --model MODEL        answers with this model
  --effort LEVEL       low, medium or high
  --instructions FILE  the chat's instructions are what this file says
  --parameters JSON    such as '{"temperature":0.2,"toolServers":["search"]}'
  --prompt TEXT        goes into the composer; {name} in it is a blank to fill in
  --json               print as JSON
  --settings FILE      read this file instead of gatehouse.yaml`;

const options = {
  project: { type: 'string' },
  description: { type: 'string', default: '' },
  model: { type: 'string' },
  effort: { type: 'string' },
  instructions: { type: 'string' },
  parameters: { type: 'string' },
  prompt: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
  settings: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export const presetsCommand: Command = {
  name: 'presets',
  summary: 'Offer everybody, or a project, ways of asking',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action = '', name, ...rest] = positionals;
    const task = tasks.get(action);
    if (task === undefined) throw new WrongUse(`Say what to do: ${[...tasks.keys()].join(', ')}.`);
    if (rest.length > 0 || (name === undefined) !== (action === 'list'))
      throw new WrongUse(
        action === 'list' ? 'list takes nothing more.' : `Write it like: gatehouse presets ${action} NAME`,
      );
    return withBooks(values.settings, async (books) => {
      const { createPresetDesk } = await import('#presets');
      const desk = createPresetDesk({ store: books.storage.presets, audit: books.audit, clock: systemClock });
      const owner = await findOwner(books, values.project);
      await task({ desk, owner, books, values, name: name ?? '' });
      return 0;
    });
  },
};

interface Task {
  readonly desk: PresetDesk;
  readonly owner: PresetOwner;
  readonly books: Books;
  readonly values: Values;
  readonly name: string;
}

async function findOwner(books: Books, projectId: string | undefined): Promise<PresetOwner> {
  if (projectId === undefined) return { scope: 'service' };
  if (projectId === everyone) throw new WrongUse('Leave --project out: then everybody is offered it.');
  const { desk, asker } = await openProjectDesk(books);
  desk.requireLead(asker, projectId);
  return { scope: 'project', projectId };
}

const tasks: ReadonlyMap<string, (task: Task) => Promise<void>> = new Map([
  ['list', list],
  ['put', put],
  ['remove', remove],
]);

async function list({ desk, owner, values }: Task): Promise<void> {
  const presets = await desk.list(owner);
  process.stdout.write(values.json ? `${JSON.stringify(presets, null, 2)}\n` : formatTable(columns, presets));
}

const columns: readonly Column<Preset>[] = [
  { title: 'NAME', cell: ({ name }) => `/${name}` },
  { title: 'MODEL', cell: ({ model }) => model ?? '-' },
  { title: 'SETS', cell: (preset) => partsOf(preset).join(', ') },
  { title: 'DESCRIPTION', cell: ({ description }) => description },
];

function partsOf({ effort, systemPrompt, parameters, prompt }: PresetWishes): string[] {
  return [
    effort === null ? '' : 'effort',
    systemPrompt === null ? '' : 'instructions',
    parameters === null ? '' : 'parameters',
    prompt === '' ? '' : 'prompt',
  ].filter((part) => part !== '');
}

async function put({ desk, owner, books, values, name }: Task): Promise<void> {
  const wishes = readWishes(values, name);
  const { models } = books.settings.catalogue;
  if (wishes.model !== null && !models.some(({ id }) => id === wishes.model))
    throw new WrongUse(
      `There is no model ${wishes.model}. Choose one of ${models.map(({ id }) => id).join(', ')}.`,
    );
  const known = await find(desk, owner, name);
  if (known === undefined) await desk.create(owner, wishes, books.actor);
  else await desk.change(owner, known.id, wishes, books.actor);
  process.stderr.write(known === undefined ? `/${name} is offered.\n` : `/${name} is changed.\n`);
}

function readWishes(values: Values, name: string): PresetWishes {
  const read = presetWishes.safeParse({
    name,
    description: values.description,
    model: values.model ?? null,
    effort: values.effort ?? null,
    systemPrompt: values.instructions === undefined ? null : readFileSync(values.instructions, 'utf8').trim(),
    parameters: values.parameters === undefined ? null : readJson(values.parameters),
    prompt: values.prompt,
  });
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  throw new WrongUse(`${problem?.path.join('.') ?? 'The preset'}: ${problem?.message ?? 'is not right'}`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new WrongUse('--parameters takes a JSON object, such as \'{"temperature":0.2}\'.');
  }
}

async function remove({ desk, owner, books, name }: Task): Promise<void> {
  const known = await find(desk, owner, name);
  if (known === undefined) throw new WrongUse(`There is no preset /${name}.`);
  await desk.remove(owner, known.id, books.actor);
  process.stderr.write(`/${name} is removed.\n`);
}

async function find(desk: PresetDesk, owner: PresetOwner, name: string): Promise<Preset | undefined> {
  return (await desk.list(owner)).find((preset) => preset.name.toLowerCase() === name.toLowerCase());
}
