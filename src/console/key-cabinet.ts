import type { KeyRecord } from '#contract/person-administration';
import type { ProjectAsker } from '#vocabulary/project-desk';
import type { KeyDescription, Person } from '#vocabulary/stores';
import type { ConsoleParts } from './console-parts.ts';
import { viewKey } from './views.ts';

const unusedAfterMs = 90 * 86_400_000;

interface KeySearch {
  readonly q?: string | undefined;
  readonly projectId?: string | undefined;
  readonly state?: 'active' | 'unused' | 'expired' | 'revoked' | undefined;
}

type OwnedKey = KeyDescription & { readonly owner: Pick<Person, 'id' | 'name' | 'email' | 'state'> };

/** Everybody's keys as administrators see them: without secrets, with owners and limits. */
export function createKeyCabinet({ keyDesk, projectDesk, people, clock }: ConsoleParts) {
  return { search, view, viewRecord, isUsable };

  /** Newest first. */
  async function search({ q = '', projectId, state }: KeySearch): Promise<readonly OwnedKey[]> {
    const now = clock.wallMs();
    const keys = (await keyDesk.list('anybody')).filter(
      (key) =>
        (projectId === undefined || key.projectId === projectId) &&
        (state === undefined || isIn(state, key, now)),
    );
    const owned = await withOwners(keys);
    const wanted = q.trim().toLowerCase();
    return owned.filter(({ name, prefix, owner }) =>
      [name, prefix, owner.name, owner.email].some((text) => text.toLowerCase().includes(wanted)),
    );
  }

  async function withOwners(keys: readonly KeyDescription[]): Promise<readonly OwnedKey[]> {
    const found = await people.findAll([...new Set(keys.map(({ personId }) => personId))]);
    const owners = new Map(found.map((person) => [person.id, person]));
    return keys.flatMap((key) => {
      const owner = owners.get(key.personId);
      return owner === undefined ? [] : [{ ...key, owner }];
    });
  }

  function view(key: KeyDescription) {
    return viewKey(key, projectDesk.describe(key.projectId, key.personId), clock.wallMs());
  }

  function viewRecord(key: OwnedKey, asker: ProjectAsker): KeyRecord {
    const { configured, exceptions } = projectDesk.limitsOf(asker, 'key', key.id);
    const closer = exceptions.find(({ modelId }) => modelId === undefined)?.limits;
    const { id, name, email, state } = key.owner;
    return {
      ...view(key),
      owner: { id, name, email, isActive: state === 'active' },
      limits: { ...configured, ...closer },
    };
  }

  function isUsable(key: KeyDescription): boolean {
    return isIn('active', key, clock.wallMs());
  }
}

function isIn(state: NonNullable<KeySearch['state']>, key: KeyDescription, now: number): boolean {
  const isRevoked = key.revokedAt !== undefined;
  const isExpired = (key.expiresAt ?? Infinity) <= now;
  if (state === 'revoked') return isRevoked;
  if (state === 'expired') return isExpired && !isRevoked;
  const isActive = !isRevoked && !isExpired;
  return isActive && (state === 'active' || now - (key.lastUsedAt ?? key.createdAt) > unusedAfterMs);
}
