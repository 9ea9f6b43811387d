import { parseArgs } from 'node:util';
import { systemClock } from '#vocabulary/clock';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { PersonDesks } from '#vocabulary/person-desks';
import type { Person } from '#vocabulary/stores';
import { WrongUse, type Command } from './command.ts';
import { type Books, withBooks } from './open-books.ts';
import { silentLogger } from '#vocabulary/logger';
import { findPerson, openProjectDesk, type ProjectBooks } from './open-project-desk.ts';
import { exportPerson } from './people-export.ts';
import { listInvitations, withdrawInvitation } from './people-invitations.ts';
import { invitePeople } from './people-invite.ts';
import { formatTable, type Column } from './table.ts';

const usage = `Usage: gatehouse people list [--search TEXT] [--json]
       gatehouse people create EMAIL [--name NAME] [--administrator]
       gatehouse people disable EMAIL
       gatehouse people enable EMAIL
       gatehouse people make-administrator EMAIL
       gatehouse people make-member EMAIL
       gatehouse people sign-in-link EMAIL
       gatehouse people invite EMAIL…|--anybody [--project ID]… [--days N] [--administrator]
       gatehouse people invitations [--json]
       gatehouse people withdraw-invitation ID
       gatehouse people sign-out EMAIL
       gatehouse people revoke-keys EMAIL
       gatehouse people export EMAIL account|chats
       gatehouse people remove EMAIL

Shows who has an account and changes what they may do. A running server knows of every change
within a second: disabling somebody ends their sessions, keys and running answers.
A sign-in link works once, within 15 minutes, and takes the place of the one before. It is over
when the person signs in or out, and is printed alone on standard output.
Invitations are links that make one account each, printed as CSV, and sent by e-mail where the
settings name a mail server. Somebody is removed for good, with chats and keys, once they are
disabled; what they used stays in the books. What belongs to them is exported before, as JSON: the
account with keys, usage and activity, or, once disabled, the chats in a form that can be imported.

  --search TEXT    only people whose name or address holds this
  --name NAME      how the new person is called; without it, the part of the address before the @
  --administrator  the new person may administer the service
  --project ID     who accepts becomes a member of this project; can be given again
  --anybody        one link that whoever has it can accept
  --days N         how long invitations are open, from 1 to 90 (7)
  --json           print the list as JSON
  --settings FILE  read this file instead of gatehouse.yaml`;

const options = {
  search: { type: 'string' },
  name: { type: 'string' },
  administrator: { type: 'boolean', default: false },
  project: { type: 'string', multiple: true },
  anybody: { type: 'boolean', default: false },
  days: { type: 'string', default: '7' },
  json: { type: 'boolean', default: false },
  settings: { type: 'string' },
} as const;

export const peopleCommand: Command = {
  name: 'people',
  summary: 'List, create, invite, disable and remove people, and sign them in',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action = '', email, ...rest] = positionals;
    const task = actions.get(action);
    if (task === undefined) throw new WrongUse(`Say what to do: ${[...actions.keys()].join(', ')}.`);
    const isTooMuch = action !== 'invite' && rest.length > (action === 'export' ? 1 : 0);
    if (isTooMuch) throw new WrongUse(`"${rest.join(' ')}" is too much.`);
    return withBooks(values.settings, async (books) => {
      const projects = await openProjectDesk(books);
      return task({ books, projects, desks: await openDesks(projects), values, email, rest });
    });
  },
};

interface Task {
  readonly books: Books;
  readonly projects: ProjectBooks;
  readonly desks: PersonDesks;
  readonly values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  readonly email: string | undefined;
  readonly rest: readonly string[];
}

const actions: ReadonlyMap<string, (task: Task) => Promise<number>> = new Map([
  ['list', listPeople],
  ['create', createPerson],
  [
    'disable',
    (task) =>
      changePerson(task, { state: 'disabled' }, 'is disabled. Sessions, keys and running answers end'),
  ],
  ['enable', (task) => changePerson(task, { state: 'active' }, 'is enabled')],
  ['make-administrator', (task) => changePerson(task, { role: 'administrator' }, 'is an administrator now')],
  ['make-member', (task) => changePerson(task, { role: 'person' }, 'is a member now')],
  ['sign-in-link', printLink],
  ['invite', invite],
  ['invitations', ({ desks, values }) => listInvitations(desks, values.json)],
  ['withdraw-invitation', ({ books, desks, email: id }) => withdrawInvitation(books, desks, id)],
  ['sign-out', signOut],
  ['revoke-keys', revokeKeys],
  ['export', exportSomebody],
  ['remove', removePerson],
]);

async function openDesks({ books, desk }: ProjectBooks): Promise<PersonDesks> {
  const { settings, storage, accounts, audit } = books;
  const { createPersonDesks } = await import('#accounts');
  const { signIn } = settings;
  return createPersonDesks({
    ...storage,
    keyRing: accounts.keyRing,
    audit,
    clock: systemClock,
    logger: silentLogger,
    lifetimes: { idleMs: signIn.sessionIdleMs, absoluteMs: signIn.sessionLifetimeMs },
    hasLocalAccounts: signIn.hasLocalAccounts,
    providers: signIn.providers,
    recheck: { sessionsMs: signIn.recheckMs, keysMs: signIn.keysRecheckMs },
    followGroups: desk.followGroups,
    joinProjects: desk.joinProjects,
    publicUrl: () => settings.publicUrl ?? listenUrl(settings),
    postman: await openPostman(books),
  });
}

async function openPostman({ settings: { mail, appearance: configured }, storage, audit }: Books) {
  if (mail === undefined) return undefined;
  const [{ createPostman }, { createAppearanceDesk }] = await Promise.all([
    import('#mail'),
    import('#appearance'),
  ]);
  const appearance = createAppearanceDesk({
    notes: storage.serviceNotes,
    configured,
    audit,
    clock: systemClock,
  });
  const serviceName = async () => (await appearance.read()).name;
  return createPostman({ mail, serviceName, logger: { ...silentLogger, error: tellCause } });
}

function tellCause({ error }: { readonly error?: unknown }): void {
  process.stderr.write(`${error instanceof Error ? error.message : 'The mail server does not keep up.'}\n`);
}

function listenUrl({ listen, tls }: Books['settings']): string {
  const host = ['0.0.0.0', '::'].includes(listen.host) ? 'localhost' : listen.host;
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listen.port}`;
}

async function listPeople({ books, values }: Task): Promise<number> {
  const people: Person[] = [];
  for (;;) {
    const page = await books.storage.people.list({
      search: values.search,
      limit: 500,
      afterEmail: people.at(-1)?.email,
    });
    if (page.length === 0) break;
    people.push(...page);
  }
  process.stdout.write(values.json ? `${JSON.stringify(people, null, 2)}\n` : formatTable(columns, people));
  return 0;
}

const columns: readonly Column<Person>[] = [
  { title: 'E-MAIL', cell: ({ email }) => email },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'STATE', cell: ({ state }) => state },
  {
    title: 'LAST SEEN',
    cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? 'never' : new Date(lastSeenAt).toISOString()),
  },
];

async function createPerson({ books, desks, values, email }: Task): Promise<number> {
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new WrongUse('Give the e-mail address of the person.');
  const name = values.name ?? email.slice(0, email.indexOf('@'));
  const role = values.administrator ? 'administrator' : 'person';
  const person = await desks.people.create({ email, name, role, password: undefined }, books.actor);
  tell(`The account ${person.email} was made. This link signs in once, within 15 minutes:`);
  return printLinkOf(books, desks, person);
}

async function changePerson(
  { books, desks, email }: Task,
  change: Parameters<PersonDesks['people']['change']>[1],
  outcome: string,
): Promise<number> {
  const person = await findPerson(books, required(email));
  await desks.people.change(person.id, change, books.actor);
  tell(`${person.email} ${outcome}.`);
  return 0;
}

async function invite({ books, projects, desks, values, email, rest }: Task): Promise<number> {
  return invitePeople(
    books,
    { ...projects, desks },
    {
      emails: email === undefined ? [] : [email, ...rest],
      projects: values.project ?? [],
      isAdministrator: values.administrator,
      isForAnybody: values.anybody,
      days: values.days,
    },
  );
}

async function signOut({ books, desks, email }: Task): Promise<number> {
  const person = await findPerson(books, required(email));
  await desks.sessions.endAll(person.id, books.actor);
  tell(`${person.email} is signed out everywhere.`);
  return 0;
}

async function revokeKeys({ books, email }: Task): Promise<number> {
  const { id: personId, email: address } = await findPerson(books, required(email));
  const { keyDesk } = books.accounts;
  const keys = (await keyDesk.list({ personId })).filter(({ revokedAt }) => revokedAt === undefined);
  for (const { id } of keys) await keyDesk.revoke({ personId }, id, books.actor);
  tell(`${keys.length} keys of ${address} are revoked now.`);
  return 0;
}

async function exportSomebody({ books, projects, desks, email, rest }: Task): Promise<number> {
  return exportPerson(projects, desks, await findPerson(books, required(email)), rest[0]);
}

async function removePerson({ books, desks, email }: Task): Promise<number> {
  const { id, state, email: address } = await findPerson(books, required(email));
  if (state !== 'disabled')
    throw new OperatorProblem(
      `${address} is ${state}. Disable the account first: gatehouse people disable ${address}`,
    );
  while ((await books.storage.conversations.eraseSome(id)) > 0);
  await desks.people.remove(id, books.actor);
  tell(`${address} is removed, with chats and keys. What they used stays in the books.`);
  return 0;
}

async function printLink({ books, desks, email }: Task): Promise<number> {
  return printLinkOf(books, desks, await findPerson(books, required(email)));
}

async function printLinkOf(books: Books, desks: PersonDesks, person: Person): Promise<number> {
  const { url } = await desks.signIn.createOneTimeLink(person.id, books.actor);
  process.stdout.write(`${url}\n`);
  return 0;
}

function required(email: string | undefined): string {
  if (email === undefined) throw new WrongUse('Say who, by e-mail address.');
  return email;
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
