import type { Storage } from '#storage';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { KeyDescription, Person } from '#vocabulary/stores';
import { WrongUse } from './command.ts';
import { formatTable, type Column } from './table.ts';

export interface ListedKey extends KeyDescription {
  readonly owner: string;
}

/** Of one person, or of everybody. */
export async function listKeys(storage: Storage, owner: Person | undefined): Promise<readonly ListedKey[]> {
  const keys = await storage.keys.list(owner?.id);
  const owners = new Map<string, string>();
  for (const { personId } of keys) {
    if (!owners.has(personId)) owners.set(personId, (await storage.people.find(personId))?.email ?? '');
  }
  return keys.map((key) => ({ ...key, owner: owners.get(key.personId) ?? '' }));
}

/** By id, or by the first characters; a whole secret pasted by mistake does as well. */
export async function findKey(storage: Storage, written: string | undefined): Promise<KeyDescription> {
  if (written === undefined) throw new WrongUse('Say which key: its id or its first characters.');
  const byId = await storage.keys.find(written);
  if (byId !== undefined) return byId;
  const matches = await storage.keys.findByPrefix(written.replace(/…$/, '').slice(0, shownPrefixLength));
  const [only, ...others] = matches;
  if (only === undefined) {
    throw new OperatorProblem('There is no such key. See: gatehouse keys list');
  }
  if (others.length === 0) return only;
  const ids = matches.map(({ id }) => id).join(', ');
  throw new OperatorProblem(`Several keys begin like that: ${ids}. Name one by its id.`);
}

const shownPrefixLength = 9;

export function describeKeys(keys: readonly ListedKey[], now: number): string {
  const columns: readonly Column<ListedKey>[] = [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'KEY', cell: ({ prefix }) => `${prefix}…` },
    { title: 'NAME', cell: ({ name }) => name },
    { title: 'OWNER', cell: ({ owner }) => owner },
    { title: 'PROJECT', cell: ({ projectId }) => projectId },
    { title: 'STATE', cell: (key) => describeState(key, now) },
    { title: 'CREATED', cell: ({ createdAt }) => day(createdAt) },
    { title: 'EXPIRES', cell: ({ expiresAt }) => (expiresAt === undefined ? 'never' : day(expiresAt)) },
    { title: 'LAST USED', cell: describeLastUse },
    { title: 'MODELS', cell: ({ models }) => describeRestriction(models) },
    { title: 'NETWORKS', cell: ({ networks }) => describeRestriction(networks) },
  ];
  return formatTable(columns, keys);
}

function describeState({ revokedAt, expiresAt, successorId }: KeyDescription, now: number): string {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt !== undefined && expiresAt <= now) return 'expired';
  return successorId === undefined ? 'active' : 'replaced';
}

function describeLastUse({ lastUsedAt, lastUsedAddress }: KeyDescription): string {
  if (lastUsedAt === undefined) return 'never';
  const minute = new Date(lastUsedAt).toISOString().slice(0, 16).replace('T', ' ');
  return `${minute} ${lastUsedAddress ?? ''}`.trimEnd();
}

function describeRestriction(entries: readonly string[]): string {
  return entries.length === 0 ? 'all' : entries.join(',');
}

function day(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
