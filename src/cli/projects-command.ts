import { parseArgs } from 'node:util';
import type { Project, ProjectChange } from '#vocabulary/project';
import type { ProjectMember } from '#vocabulary/project-desk';
import { everyone } from '#vocabulary/sharing';
import { WrongUse, type Command } from './command.ts';
import { describeLimits } from './limits-command.ts';
import { readMoment } from './moments.ts';
import { withBooks } from './open-books.ts';
import { findPerson, openProjectDesk, type ProjectBooks } from './open-project-desk.ts';
import {
  addSpaceDocument,
  instructSpace,
  listSpaceDocuments,
  removeSpaceDocument,
  withdrawSpaceChat,
} from './space-actions.ts';
import { type Column, formatTable } from './table.ts';

const usage = `Usage: gatehouse projects list [--json]
       gatehouse projects show ID [--json]
       gatehouse projects create ID [--name NAME] [--description TEXT] [--weight N] [--models ID,…]
                                    [--ends DAY] [--group GROUP]…
       gatehouse projects change ID [the same; --models all, --ends never, --group none take them back]
       gatehouse projects remove ID
       gatehouse projects add ID EMAIL [--lead]
       gatehouse projects drop ID EMAIL
       gatehouse projects instructions ID [--text TEXT | --file FILE]
       gatehouse projects documents ID [--json]
       gatehouse projects add-document ID FILE
       gatehouse projects remove-document ID DOCUMENT
       gatehouse projects withdraw-chat ID CHAT

Projects are people who share a weight, models, limits and a budget. A running server knows of every
change within a second; answers that are being written are finished. Projects of the settings file
are changed there; their members are added and dropped here. Each has a space on the web, with
instructions, documents (text from here, everything else on the web) and chats that members share.

  --name NAME        how people call it; without it, the id
  --description TEXT one sentence for its members
  --weight N         its part when everybody wants the service, from 0.01 to 1000 (1)
  --models ID,…      only these models
  --ends DAY         the last day on which it may be used (UTC), like 2027-02-28
  --group GROUP      people of this group at the sign-in provider are members; can be given again
  --text, --file     the instructions of its space, before those of each member; empty takes them back
  --lead             may add and drop members and set their limits
  --json             print as JSON
  --settings FILE    read this file instead of gatehouse.yaml`;

const options = {
  name: { type: 'string' },
  description: { type: 'string' },
  weight: { type: 'string' },
  models: { type: 'string' },
  ends: { type: 'string' },
  group: { type: 'string', multiple: true },
  text: { type: 'string' },
  file: { type: 'string' },
  lead: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  settings: { type: 'string' },
} as const;

export const projectsCommand: Command = {
  name: 'projects',
  summary: 'List, create, change and remove projects and their members',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action = '', ...words] = positionals;
    const task = actions.get(action);
    if (task === undefined) throw new WrongUse(`Say what to do: ${[...actions.keys()].join(', ')}.`);
    if (words.length !== task.takes.length)
      throw new WrongUse(`Write it like: gatehouse projects ${[action, ...task.takes].join(' ')}`);
    return withBooks(values.settings, async (books) => {
      const [id = '', what = ''] = words;
      await task.run({ ...(await openProjectDesk(books)), values, id, what });
      return 0;
    });
  },
};

interface Task extends ProjectBooks {
  readonly values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  readonly id: string;
  /** The second word of those actions that take one: an address, a file, the id of a document or of a chat. */
  readonly what: string;
}

const actions: ReadonlyMap<string, { takes: readonly string[]; run: (task: Task) => Promise<void> | void }> =
  new Map([
    ['list', { takes: [], run: listProjects }],
    ['show', { takes: ['ID'], run: showProject }],
    ['create', { takes: ['ID'], run: createProject }],
    ['change', { takes: ['ID'], run: changeProject }],
    ['remove', { takes: ['ID'], run: removeProject }],
    ['add', { takes: ['ID', 'EMAIL'], run: addMember }],
    ['drop', { takes: ['ID', 'EMAIL'], run: dropMember }],
    ['instructions', { takes: ['ID'], run: instructSpace }],
    ['documents', { takes: ['ID'], run: listSpaceDocuments }],
    ['add-document', { takes: ['ID', 'FILE'], run: addSpaceDocument }],
    ['remove-document', { takes: ['ID', 'DOCUMENT'], run: removeSpaceDocument }],
    ['withdraw-chat', { takes: ['ID', 'CHAT'], run: withdrawSpaceChat }],
  ]);

function listProjects({ desk, asker, values }: Task): void {
  const projects = desk.list(asker);
  print(values.json ? asJson(projects) : formatTable(columns, projects));
}

const columns: readonly Column<Project>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'WEIGHT', align: 'right', cell: ({ weight }) => String(weight) },
  { title: 'MODELS', cell: ({ models }) => models.join(',') || 'all' },
  { title: 'ENDS', cell: ({ endsAt }) => describeEnd(endsAt) },
  { title: 'GROUPS', cell: ({ groups }) => groups.join(',') || '-' },
  { title: 'KEPT IN', cell: ({ isConfigured }) => (isConfigured ? 'settings' : 'database') },
];

async function showProject({ desk, asker, values, id }: Task): Promise<void> {
  const project = desk.find(asker, id);
  const members = await desk.members(asker, id);
  const limits = desk
    .exceptions(asker)
    .filter(({ scope, subjectId }) => ['project', 'member'].includes(scope) && subjectId === id);
  if (values.json) {
    print(asJson({ ...project, members, limits }));
    return;
  }
  print(formatTable(columns, [project]));
  if (project.description !== '') print(`${project.description}\n`);
  const nobody = id === everyone ? 'Everybody is a member.\n' : 'Nobody is a member.\n';
  print(`\n${members.length === 0 ? nobody : formatTable(memberColumns, members)}`);
  if (limits.length > 0) print(`\n${describeLimits(limits)}`);
}

const memberColumns: readonly Column<ProjectMember>[] = [
  { title: 'E-MAIL', cell: ({ email }) => email },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'BY', cell: ({ isByGroup }) => (isByGroup ? 'group' : 'added') },
];

async function createProject({ desk, asker, values, id }: Task): Promise<void> {
  const { endsAt, ...change } = readChange(values);
  await desk.create(asker, { id, ...change, endsAt: endsAt ?? undefined });
  tell(`The project ${id} was made. Add people: gatehouse projects add ${id} EMAIL`);
}

async function changeProject({ desk, asker, values, id }: Task): Promise<void> {
  const change = readChange(values);
  if (Object.keys(change).length === 0) throw new WrongUse('Say what should be different.');
  await desk.change(asker, id, change);
  tell(`The project ${id} is changed.`);
}

async function removeProject({ desk, asker, id }: Task): Promise<void> {
  await desk.remove(asker, id);
  tell(`The project ${id} is gone; its keys do not work any more. What it used stays in the books.`);
}

async function addMember({ desk, asker, values, id, what: email }: Task): Promise<void> {
  const role = values.lead ? 'lead' : 'member';
  await desk.putMember(asker, id, email, role);
  tell(`${email} is a ${role} of ${id}.`);
}

async function dropMember({ books, desk, asker, id, what: email }: Task): Promise<void> {
  await desk.removeMember(asker, id, (await findPerson(books, email)).id);
  tell(`${email} is not a member of ${id} any more.`);
}

function readChange({ name, description, weight, models, ends, group }: Task['values']): ProjectChange {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(weight !== undefined && { weight: weight.trim() === '' ? NaN : Number(weight) }),
    ...(models !== undefined && { models: models === 'all' ? [] : splitList(models) }),
    ...(ends !== undefined && { endsAt: ends === 'never' ? null : readEnd(ends) }),
    ...(group !== undefined && { groups: group.filter((each) => each !== 'none') }),
  };
}

/** A day counts until it is over. */
function readEnd(written: string): number {
  const moment = readMoment(written, Date.now(), 'future');
  return /^\d{4}-\d{2}-\d{2}$/.test(written.trim()) ? moment + 86_400_000 - 1 : moment;
}

function describeEnd(endsAt: number | undefined): string {
  return endsAt === undefined ? 'never' : new Date(endsAt).toISOString().slice(0, 10);
}

function splitList(written: string): readonly string[] {
  return written.split(',').flatMap((entry) => entry.trim() || []);
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function print(text: string): void {
  process.stdout.write(text);
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
