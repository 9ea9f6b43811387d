import { parseArgs } from 'node:util';
import { type LimitName, limitNames, type Limits, type LimitScope, type Standing } from '#vocabulary/limits';
import type { StoredLimits } from '#vocabulary/project';
import type { LimitTarget } from '#vocabulary/project-desk';
import { WrongUse, type Command } from './command.ts';
import { findKey } from './key-list.ts';
import { type Books, withBooks } from './open-books.ts';
import { findPerson, openProjectDesk, type ProjectBooks } from './open-project-desk.ts';
import { type Column, formatTable } from './table.ts';

const usage = `Usage: gatehouse limits show [--json]
       gatehouse limits show (--key KEY | --person EMAIL | --project ID) [--json]
       gatehouse limits set (--key KEY | --person EMAIL | --project ID | --members-of ID) [--model ID] LIMIT…
       gatehouse limits clear (--key KEY | --person EMAIL | --project ID | --members-of ID) [--model ID]

Exceptions from the limits of the settings (sharing.limits, projects). An exception counts for the
kinds of limits that it names; for the others the settings go on. The smallest limit that applies
wins. A running server knows within a second; requests that run already are finished.
Shown for one, with what the settings say: what is used of each, what is left and when it renews.
What is used of a minute, and how many run at once, only the running server knows.

  --key KEY                 one API key, by its id or its first characters
  --person EMAIL            one person, in everything they do
  --project ID              a project as a whole
  --members-of ID           each member of a project for themselves
  --model ID                only requests for this model; without it, all together
  --requests-per-minute N   a number, or none to take this one limit back
  --tokens-per-minute N     tokens of prompts and answers
  --requests-at-once N      that wait or are answered at the same time
  --cost-per-day N          until midnight (UTC)
  --cost-per-month N        until the month is over (UTC)
  --cost-in-total N         until the project ends
  --json                    print as JSON
  --settings FILE           read this file instead of gatehouse.yaml`;

const options = {
  key: { type: 'string' },
  person: { type: 'string' },
  project: { type: 'string' },
  'members-of': { type: 'string' },
  model: { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'tokens-per-minute': { type: 'string' },
  'requests-at-once': { type: 'string' },
  'cost-per-day': { type: 'string' },
  'cost-per-month': { type: 'string' },
  'cost-in-total': { type: 'string' },
  json: { type: 'boolean', default: false },
  settings: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
type Action = (open: ProjectBooks, values: Values) => Promise<void> | void;

export const limitsCommand: Command = {
  name: 'limits',
  summary: 'Show, set and clear limits of keys, people and projects',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action = '', ...rest] = positionals;
    const task = actions.get(action);
    if (task === undefined) throw new WrongUse(`Say what to do: ${[...actions.keys()].join(', ')}.`);
    if (rest.length > 0) throw new WrongUse(`"${rest.join(' ')}" is too much.`);
    return withBooks(values.settings, async (books) => {
      await task(await openProjectDesk(books), values);
      return 0;
    });
  },
};

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['show', showLimits],
  ['set', setLimits],
  ['clear', clearLimits],
]);

async function showLimits(open: ProjectBooks, values: Values): Promise<void> {
  const { books, desk, asker } = open;
  const { json } = values;
  if (scopes.some(([option]) => values[option] !== undefined)) {
    const rows = await readStanding(open, await readTarget(open, values));
    process.stdout.write(
      json ? `${JSON.stringify(rows, null, 2)}\n` : formatTable(standingColumns(values.person), rows),
    );
    return;
  }
  const stored = desk.exceptions(asker);
  process.stdout.write(
    json ? `${JSON.stringify(stored, null, 2)}\n` : describeLimits(await withNames(books, stored)),
  );
}

interface StandingRow extends Pick<Standing, 'scope' | 'subject' | 'modelId' | 'limit' | 'amount'> {
  readonly used: number | null;
  readonly left: number | null;
  /** ISO 8601. */
  readonly renewsAt: string | null;
}

/** All that limits a person, a project or a key, as their pages show it. */
async function readStanding(open: ProjectBooks, { scope, subjectId }: LimitTarget): Promise<StandingRow[]> {
  const { books, desk, asker } = open;
  await open.readSpending();
  if (scope === 'project') return desk.standingOf(asker, subjectId).map(rowOf);
  const personId = scope === 'person' ? subjectId : (await books.storage.keys.find(subjectId))?.personId;
  if (personId === undefined) throw new WrongUse(`There is no key ${subjectId}. See: gatehouse keys list`);
  const all = await desk.standing(personId);
  return all.filter((each) => scope === 'person' || each.subject === `key:${subjectId}`).map(rowOf);
}

function rowOf({ scope, subject, modelId, limit, amount, used, renewsAt }: Standing): StandingRow {
  const isBudget = limit.startsWith('cost');
  return {
    scope,
    subject,
    modelId,
    limit,
    amount,
    used: isBudget ? used : null,
    left: isBudget ? Math.max(0, amount - used) : null,
    renewsAt: isBudget && renewsAt !== undefined ? new Date(renewsAt).toISOString() : null,
  };
}

/** A person is called by their address, as it was written. */
function standingColumns(person = ''): readonly Column<StandingRow>[] {
  return [
    { title: 'LIMITS OF', cell: ({ scope, subject }) => subjectOf(scope, subject) },
    { title: 'MODEL', cell: ({ modelId }) => modelId ?? 'all' },
    { title: 'LIMIT', cell: ({ limit }) => dashed(limit).replaceAll('-', ' ') },
    { title: 'AMOUNT', align: 'right', cell: ({ amount }) => String(amount) },
    { title: 'USED', align: 'right', cell: ({ used }) => amountOr(used) },
    { title: 'LEFT', align: 'right', cell: ({ left }) => amountOr(left) },
    { title: 'RENEWS', cell: ({ renewsAt }) => renewsAt ?? '-' },
  ];

  function subjectOf(scope: LimitScope, subject: string): string {
    if (scope === 'person') return `person ${person}`;
    // `member:<project>:person:<id>`
    return scope === 'member' ? `member of ${subject.split(':')[1]}` : subject.replace(':', ' ');
  }
}

function amountOr(amount: number | null): string {
  return amount === null ? '-' : String(Math.round(amount * 10) / 10);
}

/** People are called by their address. */
function withNames({ storage }: Books, stored: readonly StoredLimits[]): Promise<StoredLimits[]> {
  return Promise.all(
    stored.map(async (each) => {
      const person = each.scope === 'person' ? await storage.people.find(each.subjectId) : undefined;
      return { ...each, subjectId: person?.email ?? each.subjectId };
    }),
  );
}

async function setLimits({ books, desk, asker }: ProjectBooks, values: Values): Promise<void> {
  const target = await readTarget({ books }, values);
  const known = desk.exceptions(asker).find((each) => nameOf(each) === nameOf(target))?.limits;
  const limits: Limits = { ...known, ...readLimits(values) };
  await desk.setLimits(asker, target, limits);
  tell(`${describeTarget({ ...target, ...named(values) })}: ${describeAmounts(limits)}.`);
}

async function clearLimits({ books, desk, asker }: ProjectBooks, values: Values): Promise<void> {
  const target = await readTarget({ books }, values);
  await desk.setLimits(asker, target, {});
  tell(`${describeTarget({ ...target, ...named(values) })}: what the settings say counts again.`);
}

/** For other commands too. */
export function describeLimits(stored: readonly StoredLimits[]): string {
  return formatTable(columns, stored);
}

const columns: readonly Column<StoredLimits>[] = [
  { title: 'LIMITS OF', cell: describeTarget },
  { title: 'MODEL', cell: ({ modelId }) => modelId ?? 'all' },
  ...limitNames.map((name) => ({
    title: dashed(name).replaceAll('-', ' ').toUpperCase(),
    align: 'right' as const,
    cell: ({ limits }: StoredLimits) => String(limits[name] ?? '-'),
  })),
];

const scopes: readonly (readonly ['key' | 'person' | 'project' | 'members-of', LimitScope])[] = [
  ['key', 'key'],
  ['person', 'person'],
  ['project', 'project'],
  ['members-of', 'member'],
];

async function readTarget({ books }: Pick<ProjectBooks, 'books'>, values: Values): Promise<LimitTarget> {
  const [named, ...more] = scopes.flatMap(([option, scope]) => {
    const subject = values[option];
    return subject === undefined ? [] : [{ scope, subject }];
  });
  if (named === undefined || more.length > 0)
    throw new WrongUse('Say whose limits, once: --key, --person, --project or --members-of.');
  const { scope, subject } = named;
  const subjectId =
    scope === 'person'
      ? (await findPerson(books, subject)).id
      : scope === 'key'
        ? (await findKey(books.storage, subject)).id
        : subject;
  return { scope, subjectId, modelId: values.model };
}

/** Undefined where a limit is taken back. */
function readLimits(values: Values): Limits {
  const given = limitNames.flatMap((name): [LimitName, number | undefined][] => {
    const written = values[dashed(name) as keyof Values];
    if (typeof written !== 'string') return [];
    if (written === 'none') return [[name, undefined]];
    if (!/^\d+(\.\d+)?$/.test(written.trim()))
      throw new WrongUse(`--${dashed(name)} takes a number from 0 upwards, or none.`);
    return [[name, Number(written)]];
  });
  if (given.length === 0) throw new WrongUse('Say which limit, such as --requests-per-minute 60.');
  return Object.fromEntries(given);
}

function dashed(name: LimitName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function describeTarget({ scope, subjectId }: Pick<LimitTarget, 'scope' | 'subjectId'>): string {
  return scope === 'member' ? `each member of ${subjectId}` : `${scope} ${subjectId}`;
}

function describeAmounts(limits: Limits): string {
  const amounts = limitNames.flatMap((name) =>
    limits[name] === undefined ? [] : `${dashed(name)} ${limits[name]}`,
  );
  return amounts.join(', ') || 'what the settings say counts again';
}

/** As it was written. */
function named({ person }: Values): { readonly subjectId?: string } {
  return person === undefined ? {} : { subjectId: person };
}

function nameOf({ scope, subjectId, modelId }: LimitTarget): string {
  return JSON.stringify([scope, subjectId, modelId]);
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
