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
  /** Called after every change. */
  readonly accessChanged: () => Promise<void>;
}

export function createKeyDesk({ keys, clock, policy, accessChanged }: KeyDeskParts): KeyDesk {
  async function findOwn(holder: KeyHolder, keyId: string): Promise<KeyDescription> {
    const key = await keys.find(keyId);
    if (key === undefined || (holder !== 'anybody' && key.personId !== holder.personId)) throw noSuchKey();
    return key;
  }

  async function refuseTooMany(personId: string): Promise<void> {
    const { maxKeysPerPerson } = policy;
    if (maxKeysPerPerson === undefined) return;
    if ((await keys.countUsable(personId, clock.wallMs())) < maxKeysPerPerson) return;
    throw new Refusal(
      'conflict',
      `You already have ${maxKeysPerPerson} keys, which is the most this service allows. Revoke one you no longer need first.`,
    );
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
    };
    return { secret, key };
  }

  return {
    async issue(personId, wishes) {
      const { secret, key } = prepare(personId, wishes);
      await refuseTooMany(personId);
      await keys.insert(key);
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

    async rotate(holder, keyId, overlapMs) {
      const old = await findOwn(holder, keyId);
      const now = clock.wallMs();
      const isUsable = old.revokedAt === undefined && (old.expiresAt === undefined || old.expiresAt > now);
      if (!isUsable || old.successorId !== undefined) {
        throw new Refusal(
          'conflict',
          'This key was already replaced, revoked or has expired. Create a new one.',
        );
      }
      // The successor lives as long as the old key was meant to, counted from now.
      const expiresAt = old.expiresAt === undefined ? undefined : now + (old.expiresAt - old.createdAt);
      const { secret, key } = prepare(old.personId, { ...old, expiresAt });
      const oldExpiresAt = Math.min(now + overlapMs, old.expiresAt ?? Number.MAX_SAFE_INTEGER);
      if (!(await keys.replace(keyId, oldExpiresAt, key))) throw noSuchKey();
      await accessChanged();
      return { secret, key: await findOwn('anybody', key.id) };
    },

    async revoke(holder, keyId) {
      await findOwn(holder, keyId);
      await keys.revoke(keyId, clock.wallMs());
      await accessChanged();
    },
  };
}

function noSuchKey(): Refusal {
  return new Refusal('not_found', 'There is no such key. List your keys to see which exist.');
}
