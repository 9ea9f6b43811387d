import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Withdrawal } from '#vocabulary/caller';
import type { AccessSubjects, KeyCredential, KeyStore } from '#vocabulary/stores';
import { digestOf, mintSecret } from './key-format.ts';
import { createKeyRing } from './key-ring.ts';
import { silentLogger } from '#vocabulary/logger';

/** A store of one thing only: what the ring may read. Anything else that is called fails the test. */
function createStage() {
  const credentials = new Map<string, KeyCredential>();
  const inactivePeople = new Set<string>();
  let log: { revision: number; keyId?: string; personId?: string }[] = [{ revision: 1 }];
  let now = 1_000_000;
  const uses: string[] = [];
  const keys = {
    readCredentials: async (of?: AccessSubjects) =>
      [...credentials.values()].filter(
        ({ keyId, personId }) =>
          !inactivePeople.has(personId) &&
          (of === undefined || of.keyIds.includes(keyId) || of.personIds.includes(personId)),
      ),
    readActivePeople: async (ids: readonly string[]) => new Set(ids.filter((id) => !inactivePeople.has(id))),
    readAccessChanges: async (revision: number) => {
      const newer = log.filter((change) => change.revision > revision);
      return {
        revision: log.at(-1)?.revision ?? revision,
        isComplete: log.some((change) => change.revision === revision),
        keyIds: newer.flatMap(({ keyId }) => keyId ?? []),
        personIds: newer.flatMap(({ personId }) => personId ?? []),
      };
    },
    noteUses: async (noted: readonly { keyId: string }[]) => {
      uses.push(...noted.map(({ keyId }) => keyId));
    },
  } as unknown as KeyStore;
  const clock = { wallMs: () => now, monotonicMs: () => now };
  const ring = createKeyRing({ keys, clock, logger: silentLogger });
  const withdrawals: Withdrawal[] = [];
  ring.onWithdrawn((withdrawn) => withdrawals.push(withdrawn));
  const changed = (change: { keyId?: string; personId?: string }) =>
    log.push({ revision: (log.at(-1)?.revision ?? 0) + 1, ...change });
  return {
    ring,
    withdrawals,
    uses,
    add(keyId: string, personId: string, expiresAt?: number, networks: readonly string[] = []): string {
      const { secret } = mintSecret();
      credentials.set(keyId, {
        keyId,
        personId,
        name: keyId,
        digest: digestOf(secret),
        models: [],
        projectId: 'everyone',
        lane: 'interactive',
        networks,
        expiresAt,
      });
      changed({ keyId });
      return secret;
    },
    revoke(keyId: string) {
      credentials.delete(keyId);
      changed({ keyId });
    },
    disable(personId: string) {
      inactivePeople.add(personId);
      changed({ personId });
    },
    pruneLog() {
      log = [{ revision: (log.at(-1)?.revision ?? 0) + 10_000 }];
    },
    setNow(value: number) {
      now = value;
    },
  };
}

test('a revoked key is forgotten at once, also when it was hot, and its streams hear of it', async () => {
  const stage = createStage();
  const kept = stage.add('kept', 'ada');
  const revoked = stage.add('revoked', 'ada');
  await stage.ring.start();
  assert.equal(stage.ring.find(revoked)?.keyId, 'revoked');
  assert.equal(stage.ring.find(revoked)?.keyId, 'revoked');

  stage.revoke('revoked');
  await stage.ring.refresh();
  assert.equal(stage.ring.find(revoked), undefined);
  assert.equal(stage.ring.find(kept)?.keyId, 'kept');
  assert.deepEqual(stage.withdrawals, [{ kind: 'key', keyId: 'revoked' }]);
  await stage.ring.stop();
});

test('disabling a person ends all of their keys and nobody else’s', async () => {
  const stage = createStage();
  const first = stage.add('first', 'ada');
  const second = stage.add('second', 'ada');
  const other = stage.add('other', 'bob');
  await stage.ring.start();
  for (const secret of [first, second, other]) assert.ok(stage.ring.find(secret));

  stage.disable('ada');
  await stage.ring.refresh();
  assert.equal(stage.ring.find(first), undefined);
  assert.equal(stage.ring.find(second), undefined);
  assert.ok(stage.ring.find(other));
  assert.deepEqual(stage.withdrawals, [
    { kind: 'key', keyId: 'first' },
    { kind: 'key', keyId: 'second' },
    { kind: 'person', personId: 'ada' },
  ]);
  await stage.ring.stop();
});

test('a reader that fell behind the log of changes reads everything again', async () => {
  const stage = createStage();
  const revoked = stage.add('revoked', 'ada');
  await stage.ring.start();
  stage.revoke('revoked');
  const added = stage.add('added', 'ada');
  stage.pruneLog();
  await stage.ring.refresh();
  assert.equal(stage.ring.find(revoked), undefined);
  assert.equal(stage.ring.find(added)?.keyId, 'added');
  assert.deepEqual(stage.withdrawals, [{ kind: 'key', keyId: 'revoked' }]);
  await stage.ring.stop();
});

test('a key expires by the wall clock on every look-up, and is announced once', async () => {
  const stage = createStage();
  const secret = stage.add('brief', 'ada', 1_000_500);
  await stage.ring.start();
  assert.ok(stage.ring.find(secret));
  stage.setNow(1_000_500);
  assert.equal(stage.ring.find(secret), undefined);
  await stage.ring.refresh();
  await stage.ring.refresh();
  assert.deepEqual(stage.withdrawals, [{ kind: 'key', keyId: 'brief' }]);
  stage.setNow(1_000_000);
  assert.ok(stage.ring.find(secret));
  await stage.ring.stop();
});

test('networks of a key are read once, however often it is used', async () => {
  const stage = createStage();
  let readings = 0;
  const networks = new Proxy(['192.0.2.0/24', '2001:db8::/32'], {
    get(target, name, receiver): unknown {
      if (name === '0') readings += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const secret = stage.add('limited', 'ada', undefined, networks);
  const free = stage.add('free', 'ada');
  await stage.ring.start();
  for (let use = 0; use < 100; use += 1) {
    assert.equal(stage.ring.find(secret)?.permitsAddress(`192.0.2.${use}`), true);
    assert.equal(stage.ring.find(secret)?.permitsAddress(`198.51.100.${use}`), false);
    assert.equal(stage.ring.find(secret)?.permitsAddress(`::ffff:192.0.2.${use}`), true);
    assert.equal(stage.ring.find(free)?.permitsAddress('203.0.113.1'), true);
  }
  assert.equal(readings, 1);
  await stage.ring.stop();
});

test('a flood of hostile keys finds nothing, keeps nothing and writes nothing', async () => {
  const stage = createStage();
  const secret = stage.add('only', 'ada');
  await stage.ring.start();
  const hostile = [
    '',
    ' ',
    `${secret} `,
    secret.slice(0, -1),
    `${secret}0`,
    secret.toUpperCase(),
    `'${secret.slice(1)}`,
    `${secret.slice(0, 20)}\u0000${secret.slice(21)}`,
    `gh_${'é'.repeat(49)}`,
    '__proto__',
    'x'.repeat(1_000_000),
  ];
  for (const candidate of hostile) assert.equal(stage.ring.find(candidate), undefined);
  for (let attempt = 0; attempt < 10_000; attempt += 1) {
    assert.equal(stage.ring.find(mintSecret().secret), undefined);
    assert.equal(stage.ring.find(`gh_${randomBytes(24).toString('hex')}0`), undefined);
  }
  assert.equal(stage.ring.size, 1);
  await stage.ring.stop();
  assert.deepEqual(stage.uses, []);
});

test('the last use of each key is written once', async () => {
  const stage = createStage();
  stage.add('busy', 'ada');
  await stage.ring.start();
  for (let use = 0; use < 1_000; use += 1) stage.ring.noteUse('busy', '192.0.2.7');
  await stage.ring.stop();
  assert.deepEqual(stage.uses, ['busy']);
});
