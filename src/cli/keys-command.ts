import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintId } from '#vocabulary/ids';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { KeyDescription, Person } from '#vocabulary/stores';
import { WrongUse, type Command } from './command.ts';
import { describeKeys, findKey, listKeys } from './key-list.ts';
import { readDurationMs, readMoment } from './moments.ts';
import { withBooks, type Books } from './open-books.ts';
import { openProjectDesk } from './open-project-desk.ts';

const usage = `Usage: gatehouse keys create --name NAME [--person EMAIL] [--expires WHEN] [--models ID,…] [--networks CIDR,…]
                             [--project ID] [--background]
       gatehouse keys list [--person EMAIL] [--json]
       gatehouse keys rotate KEY [--overlap TIME]
       gatehouse keys revoke KEY…

Makes, lists and takes back API keys. A running server knows of every change within a second.
A new key is printed alone on standard output, and never again. KEY is the id or the first
characters of a key, as the list shows them.

  --name NAME      what the key is for
  --person EMAIL   whose key it is (or --user, as it was called); without it, the local operator's, who is made
                   if there is none
  --expires WHEN   30d, 12h, 1y, or a date like 2027-01-31; without it, as long as the settings allow
  --models ID,…    only these models
  --networks …     only from these networks, like 192.0.2.0/24
  --project ID     use counts for this project, of which the owner is a member
  --background     its requests get what others leave, as with service_tier "flex"
  --overlap TIME   how long the old key works beside the new one (24h)
  --json           print the list as JSON
  --settings FILE  read this file instead of gatehouse.yaml`;

const options = {
  name: { type: 'string' },
  person: { type: 'string' },
  user: { type: 'string' },
  expires: { type: 'string' },
  models: { type: 'string' },
  networks: { type: 'string' },
  project: { type: 'string' },
  background: { type: 'boolean', default: false },
  overlap: { type: 'string', default: '24h' },
  json: { type: 'boolean', default: false },
  settings: { type: 'string' },
} as const;

export const keysCommand: Command = {
  name: 'keys',
  summary: 'Make, list, rotate and revoke API keys',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action, ...rest] = positionals;
    const task = action === undefined ? undefined : actions.get(action);
    if (task === undefined) throw new WrongUse('Say what to do: create, list, rotate or revoke.');
    return withBooks(values.settings, (books) => task(books, values, rest));
  },
};

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
type Action = (books: Books, values: Values, rest: readonly string[]) => Promise<number>;

const actions: ReadonlyMap<string, Action> = new Map([
  ['create', createKey],
  ['list', printKeys],
  ['rotate', rotateKey],
  ['revoke', revokeKeys],
]);

const ownerOf = (values: Values) => values.person ?? values.user;

async function createKey(books: Books, values: Values, rest: readonly string[]): Promise<number> {
  refuseRest(rest);
  if (values.name === undefined) throw new WrongUse('A key needs a name: --name NAME.');
  const expiresAt =
    values.expires === undefined ? undefined : readMoment(values.expires, Date.now(), 'future');
  const owner = await findOrMakeOwner(books, ownerOf(values));
  if (owner.state !== 'active') {
    throw new OperatorProblem(`The account ${owner.email} is ${owner.state}, so its keys would not work.`);
  }
  const models = splitList(values.models);
  refuseUnknownModels(books, models);
  if (values.project !== undefined) await requireProject(books, values.project, owner);
  const { secret, key } = await books.accounts.keyDesk.issue(
    owner.id,
    {
      name: values.name,
      expiresAt,
      models,
      networks: splitList(values.networks),
      projectId: values.project,
      lane: values.background ? 'background' : 'interactive',
    },
    books.actor,
  );
  await handOver(secret);
  tell(`Key ${key.id} (${key.prefix}…) for ${owner.email}, ${describeExpiry(key)}. It is not shown again.`);
  return 0;
}

async function printKeys(books: Books, values: Values, rest: readonly string[]): Promise<number> {
  refuseRest(rest);
  const email = ownerOf(values);
  const owner = email === undefined ? undefined : await findOwner(books, email);
  const keys = await listKeys(books.storage, owner);
  process.stdout.write(values.json ? `${JSON.stringify(keys, null, 2)}\n` : describeKeys(keys, Date.now()));
  return 0;
}

async function rotateKey(books: Books, values: Values, rest: readonly string[]): Promise<number> {
  const [written, ...more] = rest;
  refuseRest(more);
  const old = await findKey(books.storage, written);
  const overlapMs = readDurationMs(values.overlap);
  const { secret, key } = await books.accounts.keyDesk.rotate('anybody', old.id, overlapMs, books.actor);
  await handOver(secret);
  const end = new Date(Math.min(Date.now() + overlapMs, old.expiresAt ?? Infinity)).toISOString();
  tell(`Key ${key.id} (${key.prefix}…) follows ${old.id} (${old.prefix}…), which works until ${end}.`);
  return 0;
}

async function revokeKeys(books: Books, _values: Values, rest: readonly string[]): Promise<number> {
  const keys: KeyDescription[] = [];
  // All are found before the first is taken back: a slip of the hand changes nothing.
  for (const written of rest.length === 0 ? [undefined] : rest)
    keys.push(await findKey(books.storage, written));
  for (const key of keys) {
    await books.accounts.keyDesk.revoke('anybody', key.id, books.actor);
    const when = key.revokedAt === undefined ? 'is revoked now' : 'was revoked before';
    tell(`Key ${key.id} (${key.prefix}…, ${key.name}) ${when}.`);
  }
  return 0;
}

const localOperatorEmail = 'operator@localhost';

async function findOrMakeOwner(books: Books, email: string | undefined): Promise<Person> {
  const { people } = books.storage;
  const isFirst = (await people.count()) === 0;
  if (email !== undefined && !isFirst) return findOwner(books, email);
  const wanted = email ?? books.settings.signIn.admin?.email ?? localOperatorEmail;
  const known = await people.findByEmail(wanted);
  if (known !== undefined) return known;
  const id = mintId('person');
  await people.insert({
    id,
    email: wanted,
    name: 'Operator',
    role: 'administrator',
    state: 'active',
    createdAt: Date.now(),
    passwordHash: undefined,
  });
  const detail = { email: wanted, role: 'administrator' };
  await books.audit.note({ kind: 'person-created', by: books.actor, personId: id, detail });
  tell(`The local operator account ${wanted} was made.`);
  return findOwner(books, wanted);
}

async function findOwner({ storage }: Books, email: string): Promise<Person> {
  const person = await storage.people.findByEmail(email);
  if (person !== undefined) return person;
  throw new OperatorProblem(
    `There is no account with the e-mail address ${email}. The person must sign in once first.`,
  );
}

/** A key for a mistyped model would be a key for nothing. */
function refuseUnknownModels({ settings }: Books, models: readonly string[]): void {
  const offered = settings.catalogue.models.map(({ id }) => id);
  const unknown = models.find((model) => !offered.includes(model));
  if (unknown === undefined) return;
  throw new OperatorProblem(`There is no model \`${unknown}\`. Offered are: ${offered.join(', ')}.`);
}

async function requireProject(books: Books, id: string, owner: Person): Promise<void> {
  const { desk, directory } = await openProjectDesk(books);
  if (directory.find(id) !== undefined && !directory.isMember(id, owner.id))
    throw new OperatorProblem(
      `${owner.email} is not a member of the project ${id}. See: gatehouse projects add ${id} ${owner.email}`,
    );
  desk.requireUsable(id, owner.id);
}

function splitList(written: string | undefined): readonly string[] {
  return (written ?? '').split(',').flatMap((entry) => entry.trim() || []);
}

function describeExpiry({ expiresAt }: KeyDescription): string {
  return expiresAt === undefined ? 'without an end' : `valid until ${new Date(expiresAt).toISOString()}`;
}

function refuseRest(rest: readonly string[]): void {
  if (rest.length > 0) throw new WrongUse(`"${rest.join(' ')}" is too much.`);
}

/** A running server looks for changes twice a second; a script uses the secret as soon as it has read it. */
const serversLookEveryMs = 500;

async function handOver(secret: string): Promise<void> {
  await delay(serversLookEveryMs * 1.5);
  process.stdout.write(`${secret}\n`);
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
