import { parseArgs } from 'node:util';
import type { Announcement, AnnouncementKind, AnnouncementWishes, BulletinDesk } from '#vocabulary/bulletin';
import { WrongUse, type Command } from './command.ts';
import { readMoment } from './moments.ts';
import { type Books, withBooks } from './open-books.ts';
import { openBulletin } from './open-bulletin.ts';
import { type Column, formatTable } from './table.ts';

const usage = `Usage: gatehouse announcements list [--json]
       gatehouse announcements make TEXT [--kind KIND] [--from WHEN] [--until WHEN] [--stays] [--status-page]
       gatehouse announcements change ID [--text TEXT] [the same; --until never, --no-stays and
                                     --no-status-page take them back]
       gatehouse announcements end ID
       gatehouse announcements remove ID

A line above everybody's chat, such as about maintenance. A running server shows it within seconds;
open pages look every minute.

  --kind KIND      information, warning or outage (information)
  --from WHEN      not before then: 2h, 1d, or a date like 2026-12-01 (now)
  --until WHEN     until then; without it, until it is ended
  --stays          nobody can put it away for themselves
  --status-page    also on the status page
  --json           print as JSON
  --settings FILE  read this file instead of gatehouse.yaml`;

const options = {
  text: { type: 'string' },
  kind: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  stays: { type: 'boolean' },
  'status-page': { type: 'boolean' },
  json: { type: 'boolean', default: false },
  settings: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export const announcementsCommand: Command = {
  name: 'announcements',
  summary: 'Tell everybody something above their chat',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
    });
    const [action = '', word, ...rest] = positionals;
    const task = tasks.get(action);
    if (task === undefined) throw new WrongUse(`Say what to do: ${[...tasks.keys()].join(', ')}.`);
    if (rest.length > 0 || (word === undefined) !== (action === 'list'))
      throw new WrongUse(
        action === 'list'
          ? 'list takes nothing more.'
          : `Write it like: gatehouse announcements ${action} ${action === 'make' ? '"TEXT"' : 'ID'}`,
      );
    return withBooks(values.settings, async (books) => {
      await task({ desk: await openBulletin(books), books, values, word: word ?? '' });
      return 0;
    });
  },
};

interface Task {
  readonly desk: BulletinDesk;
  readonly books: Books;
  readonly values: Values;
  readonly word: string;
}

const tasks: ReadonlyMap<string, (task: Task) => Promise<void>> = new Map([
  ['list', list],
  ['make', make],
  ['change', change],
  ['end', end],
  ['remove', remove],
]);

async function list({ desk, values }: Task): Promise<void> {
  const announcements = await desk.announcements();
  process.stdout.write(
    values.json ? `${JSON.stringify(announcements, null, 2)}\n` : formatTable(columns, announcements),
  );
}

const columns: readonly Column<Announcement>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'FROM', cell: ({ startsAt }) => minute(startsAt) },
  { title: 'UNTIL', cell: ({ endsAt }) => (endsAt === undefined ? '-' : minute(endsAt)) },
  { title: 'TEXT', cell: ({ text }) => text.replaceAll(/\s+/g, ' ') },
];

async function make({ desk, books, values, word }: Task): Promise<void> {
  const { id } = await desk.announce(
    {
      kind: 'information',
      startsAt: Date.now(),
      endsAt: undefined,
      isDismissible: true,
      isOnStatusPage: false,
      ...readWishes(values),
      text: word,
    },
    books.actor,
  );
  process.stdout.write(`${id}\n`);
}

async function change({ desk, books, values, word }: Task): Promise<void> {
  const wishes = readWishes(values);
  if (Object.keys(wishes).length === 0) throw new WrongUse('Say what should be different.');
  await desk.change(word, wishes, books.actor);
  process.stderr.write('It is changed.\n');
}

/** Only what was written. */
function readWishes({
  text,
  kind,
  from,
  until,
  stays,
  'status-page': isOnStatusPage,
}: Values): Partial<AnnouncementWishes> {
  const now = Date.now();
  return {
    ...(text !== undefined && { text }),
    ...(kind !== undefined && { kind: readKind(kind) }),
    ...(from !== undefined && { startsAt: readMoment(from, now, 'future') }),
    ...(until !== undefined && { endsAt: until === 'never' ? undefined : readMoment(until, now, 'future') }),
    ...(stays !== undefined && { isDismissible: !stays }),
    ...(isOnStatusPage !== undefined && { isOnStatusPage }),
  };
}

async function end({ desk, books, word }: Task): Promise<void> {
  const now = Date.now();
  const startsAt = (await desk.announcements()).find(({ id }) => id === word)?.startsAt ?? now;
  await desk.change(word, { startsAt: Math.min(startsAt, now), endsAt: now }, books.actor);
  process.stderr.write('It is over.\n');
}

async function remove({ desk, books, word }: Task): Promise<void> {
  await desk.remove(word, books.actor);
  process.stderr.write('It is removed.\n');
}

const kinds: readonly AnnouncementKind[] = ['information', 'warning', 'outage'];

function readKind(written: string): AnnouncementKind {
  const kind = kinds.find((known) => known === written);
  if (kind !== undefined) return kind;
  throw new WrongUse(`There is no kind "${written}". Choose one of ${kinds.join(', ')}.`);
}

function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
