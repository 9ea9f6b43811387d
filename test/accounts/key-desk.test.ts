import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createAccounts } from '#accounts';
import { createAudit } from '#audit';
import { openStorage } from '#storage';
import { type RefusalCode, Refusal } from '#vocabulary/refusal';
import type { Withdrawal } from '#vocabulary/caller';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-desk-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const dayMs = 86_400_000;
const tester = { kind: 'service' } as const;
const anything = { name: 'laptop', expiresAt: undefined, models: [], networks: [] };

async function open(name: string, keyPolicy: { maxKeysPerPerson?: number; maxLifetimeMs?: number } = {}) {
  const storage = openStorage({
    dataDir: join(scratch, name),
    logger: silentLogger,
    queriesRunIn: 'this-thread',
  });
  let now = 1_800_000_000_000;
  const clock = { wallMs: () => now, monotonicMs: () => now };
  const { maxKeysPerPerson, maxLifetimeMs } = keyPolicy;
  const audit = createAudit({ store: storage.audit, clock, logger: silentLogger });
  const { keyRing, keyDesk } = createAccounts({
    audit,
    keys: storage.keys,
    clock,
    logger: silentLogger,
    keyPolicy: { maxKeysPerPerson, maxLifetimeMs },
  });
  for (const id of ['ada', 'bob']) {
    await storage.people.insert({
      id,
      email: `${id}@example.org`,
      name: id,
      role: 'person',
      state: 'active',
      createdAt: now,
      passwordHash: undefined,
    });
  }
  await keyRing.start();
  const withdrawals: Withdrawal[] = [];
  keyRing.onWithdrawn((withdrawn) => withdrawals.push(withdrawn));
  return {
    storage,
    keyRing,
    keyDesk,
    withdrawals,
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    async close() {
      await keyRing.stop();
      await storage.close();
    },
  };
}

const refused = (code: RefusalCode) => (thrown: unknown) => thrown instanceof Refusal && thrown.code === code;

test('a key works the moment it is issued and stops the moment it is revoked', async () => {
  const { keyDesk, keyRing, withdrawals, close } = await open('at-once');
  const { secret, key } = await keyDesk.issue(
    'ada',
    { ...anything, models: ['alpha-R1', ' alpha-R1 '] },
    tester,
  );
  assert.deepEqual(keyRing.find(secret)?.models, ['alpha-R1']);
  await keyDesk.revoke({ personId: 'ada' }, key.id, tester);
  assert.equal(keyRing.find(secret), undefined);
  await keyDesk.revoke({ personId: 'ada' }, key.id, tester);
  assert.deepEqual(withdrawals, [{ kind: 'key', keyId: key.id }]);
  await close();
});

test('other people’s keys do not exist', async () => {
  const { keyDesk, keyRing, close } = await open('others');
  const { secret, key } = await keyDesk.issue('ada', anything, tester);
  const bob = { personId: 'bob' };
  await assert.rejects(keyDesk.rename(bob, key.id, 'mine'), refused('not_found'));
  await assert.rejects(keyDesk.rotate(bob, key.id, 1, tester), refused('not_found'));
  await assert.rejects(keyDesk.revoke(bob, key.id, tester), refused('not_found'));
  assert.deepEqual(await keyDesk.list(bob), []);
  assert.equal((await keyDesk.list({ personId: 'ada' }))[0]?.name, 'laptop');
  assert.ok(keyRing.find(secret));
  await close();
});

test('the limit on keys holds, also when many are asked for at once', async () => {
  const { keyDesk, close } = await open('limit', { maxKeysPerPerson: 3 });
  const asked = await Promise.allSettled(
    Array.from({ length: 10 }, () => keyDesk.issue('ada', anything, tester)),
  );
  const issued = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  assert.equal(issued.length, 3);
  await assert.rejects(keyDesk.issue('ada', anything, tester), refused('conflict'));
  await keyDesk.issue('bob', anything, tester);

  const first = issued[0]!;
  const { key: successor } = await keyDesk.rotate({ personId: 'ada' }, first.key.id, dayMs, tester);
  await assert.rejects(keyDesk.rotate({ personId: 'ada' }, successor.id, dayMs, tester), refused('conflict'));
  await keyDesk.revoke({ personId: 'ada' }, first.key.id, tester);
  await keyDesk.revoke({ personId: 'ada' }, successor.id, tester);
  await keyDesk.issue('ada', anything, tester);
  await close();
});

test('no key outlives what the operator allows', async () => {
  const { keyDesk, now, pass, close } = await open('lifetime', { maxLifetimeMs: 30 * dayMs });
  const { key } = await keyDesk.issue('ada', anything, tester);
  assert.equal(key.expiresAt, now() + 30 * dayMs);
  const late = { ...anything, expiresAt: now() + 31 * dayMs };
  await assert.rejects(keyDesk.issue('ada', late, tester), refused('invalid_parameter'));
  for (const expiresAt of [now(), Number.NaN, Infinity, 1.5, -1]) {
    await assert.rejects(
      keyDesk.issue('ada', { ...anything, expiresAt }, tester),
      refused('invalid_parameter'),
    );
  }
  pass(10 * dayMs);
  const { key: successor } = await keyDesk.rotate('anybody', key.id, dayMs, tester);
  assert.equal(successor.expiresAt, now() + 30 * dayMs);
  await close();
});

test('a rotated key works beside its successor until the overlap ends, and can be rotated once', async () => {
  const { keyDesk, keyRing, withdrawals, pass, close } = await open('rotation');
  const old = await keyDesk.issue(
    'ada',
    { ...anything, networks: ['::ffff:10.0.0.1/104', '192.0.2.1'] },
    tester,
  );
  const next = await keyDesk.rotate({ personId: 'ada' }, old.key.id, dayMs, tester);
  assert.deepEqual(next.key.networks, ['10.0.0.0/8', '192.0.2.1/32']);
  await assert.rejects(keyDesk.rotate({ personId: 'ada' }, old.key.id, dayMs, tester), refused('conflict'));
  await assert.rejects(
    keyDesk.rotate({ personId: 'ada' }, next.key.id, 31 * dayMs, tester),
    refused('invalid_parameter'),
  );
  pass(dayMs - 1);
  assert.ok(keyRing.find(old.secret) && keyRing.find(next.secret));
  pass(1);
  assert.equal(keyRing.find(old.secret), undefined);
  assert.ok(keyRing.find(next.secret));
  await keyRing.refresh();
  assert.deepEqual(withdrawals, [{ kind: 'key', keyId: old.key.id }]);
  await close();
});

test('a disabled owner’s keys are dead until the owner is back', async () => {
  const { keyDesk, keyRing, storage, withdrawals, close } = await open('owner');
  const { secret } = await keyDesk.issue('ada', anything, tester);
  for (const state of ['disabled', 'pending'] as const) {
    await storage.people.update('ada', { state });
    await keyRing.refresh();
    assert.equal(keyRing.find(secret), undefined);
    assert.deepEqual(withdrawals.at(-1), { kind: 'person', personId: 'ada' });
    await storage.people.update('ada', { state: 'active' });
    await keyRing.refresh();
    assert.ok(keyRing.find(secret));
  }
  await storage.people.remove('ada');
  await keyRing.refresh();
  assert.equal(keyRing.find(secret), undefined);
  await close();
});

test('wishes that make no sense are refused with the field they are in', async () => {
  const { keyDesk, close } = await open('wishes');
  const wrong: [object, string][] = [
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ models: [''] }, 'models'],
    [{ models: Array.from({ length: 101 }, (_, index) => `m${index}`) }, 'models'],
    [{ networks: ['10.0.0.0/33'] }, 'networks'],
    [{ networks: ['010.0.0.1'] }, 'networks'],
    [{ networks: ['2130706433'] }, 'networks'],
    [{ networks: ['010.0.0.0/8'] }, 'networks'],
    [{ networks: ['10/8'] }, 'networks'],
    [{ networks: ['fe80::1%eth0'] }, 'networks'],
    [{ networks: ['example.org'] }, 'networks'],
    [{ networks: [''] }, 'networks'],
  ];
  for (const [wish, param] of wrong) {
    await assert.rejects(
      keyDesk.issue('ada', { ...anything, ...wish }, tester),
      (thrown) => thrown instanceof Refusal && thrown.param === param,
      JSON.stringify(wish),
    );
  }
  assert.deepEqual(await keyDesk.list('anybody'), []);
  await close();
});
