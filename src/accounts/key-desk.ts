import type { Actor, AuditKind, AuditTrail } from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import { mintId } from '#vocabulary/ids';
import type { KeyDesk, KeyHolder, KeyPolicy, KeyWishes } from '#vocabulary/key-desk';
import { Refusal } from '#vocabulary/refusal';
import type { KeyDescription, KeyStore, NewKey } from '#vocabulary/stores';
import { mintSecret } from './key-format.ts';
import { checkKeyName, checkModels, checkNetworks } from './key-wishes.ts';

export interface KeyDeskParts {
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly policy: KeyPolicy;
  readonly audit: AuditTrail;
  /** Called after every change. */
  readonly accessChanged: () => Promise<void>;
}

const maxOverlapMs = 30 * 86_400_000;

export function createKeyDesk({ keys, clock, policy, audit, accessChanged }: KeyDeskParts): KeyDesk {
  async function findOwn(holder: KeyHolder, keyId: string): Promise<KeyDescription> {
    const key = await keys.find(keyId);
    if (key === undefined || (holder !== 'anybody' && key.personId !== holder.personId)) throw noSuchKey();
    return key;
  }

  function boundExpiry(wanted: number | undefined): number | undefined {
    const now = clock.wallMs();
    if (wanted !== undefined && !(Number.isSafeInteger(wanted) && wanted > now)) {
      throw new Refusal('invalid_parameter', 'The expiry must lie in the future.', { param: 'expiresAt' });
    }
    if (policy.maxLifetimeMs === undefined) return wanted;
    const latest = now + policy.maxLifetimeMs;
    if (wanted === undefined || wanted <= latest) return wanted ?? latest;
    const days = Math.floor(policy.maxLifetimeMs / 86_400_000);
    throw new Refusal(
      'invalid_parameter',
      `Keys of this service live at most ${days} days. Choose an earlier expiry.`,
      { param: 'expiresAt' },
    );
  }

  function prepare(personId: string, wishes: KeyWishes): { secret: string; key: NewKey } {
    const { secret, prefix, digest } = mintSecret();
    const key: NewKey = {
      id: mintId('key'),
      personId,
      name: checkKeyName(wishes.name),
      prefix,
      digest,
      createdAt: clock.wallMs(),
      expiresAt: boundExpiry(wishes.expiresAt),
      models: checkModels(wishes.models),
      networks: checkNetworks(wishes.networks),
      projectId: wishes.projectId,
      lane: wishes.lane,
    };
    return { secret, key };
  }

  async function note(kind: AuditKind, key: NewKey | KeyDescription, by: Actor): Promise<void> {
    const { id, personId, name, prefix } = key;
    await audit.note({ kind, by, personId, detail: { key: id, name, prefix } });
  }

  return {
    async issue(personId, wishes, by) {
      const { secret, key } = prepare(personId, wishes);
      if (!(await keys.insert(key, policy.maxKeysPerPerson))) throw tooManyKeys(policy);
      await note('key-created', key, by);
      await accessChanged();
      return { secret, key: await findOwn('anybody', key.id) };
    },

    list: (holder) => keys.list(holder === 'anybody' ? undefined : holder.personId),

    async rename(holder, keyId, name) {
      await findOwn(holder, keyId);
      await keys.rename(keyId, checkKeyName(name));
      await accessChanged();
      return findOwn(holder, keyId);
    },

    async rotate(holder, keyId, overlapMs, by) {
      const old = await findOwn(holder, keyId);
      const now = clock.wallMs();
      const isUsable = old.revokedAt === undefined && (old.expiresAt === undefined || old.expiresAt > now);
      if (!isUsable || old.successorId !== undefined) {
        throw new Refusal(
          'conflict',
          'This key was already replaced, revoked or has expired. Create a new one.',
        );
      }
      checkOverlap(overlapMs);
      // Both keys work for a while, so one more than the limit is allowed; rotating on and on is not.
      const { maxKeysPerPerson = Infinity, maxLifetimeMs = Infinity } = policy;
      if ((await keys.countUsable(old.personId, now)) > maxKeysPerPerson) throw tooManyKeys(policy);
      // The successor lives as long as the old key was meant to, counted from now.
      const expiresAt =
        old.expiresAt === undefined
          ? undefined
          : now + Math.min(old.expiresAt - old.createdAt, maxLifetimeMs);
      const { secret, key } = prepare(old.personId, { ...old, expiresAt });
      const oldExpiresAt = Math.min(now + overlapMs, old.expiresAt ?? Number.MAX_SAFE_INTEGER);
      if (!(await keys.replace(keyId, oldExpiresAt, key))) throw noSuchKey();
      await note('key-rotated', key, by);
      await accessChanged();
      return { secret, key: await findOwn('anybody', key.id) };
    },

    async revoke(holder, keyId, by) {
      const key = await findOwn(holder, keyId);
      const wasValid = await keys.revoke(keyId, clock.wallMs());
      await accessChanged();
      if (wasValid) await note('key-revoked', key, by);
    },
  };
}

function checkOverlap(overlapMs: number): void {
  if (overlapMs >= 0 && overlapMs <= maxOverlapMs) return;
  throw new Refusal('invalid_parameter', 'The old key can work beside the new one for at most 30 days.', {
    param: 'overlapMs',
  });
}

function tooManyKeys({ maxKeysPerPerson }: KeyPolicy): Refusal {
  return new Refusal(
    'conflict',
    `This service allows ${maxKeysPerPerson} keys for each person. Revoke one that is no longer needed first.`,
  );
}

function noSuchKey(): Refusal {
  return new Refusal('not_found', 'There is no such key. List your keys to see which exist.');
}
