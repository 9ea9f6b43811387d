import { randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccounting } from '#accounting';
import { createAccounts } from '#accounts';
import { createAudit } from '#audit';
import { openStorage } from '#storage';
import { systemClock } from '#vocabulary/clock';
import type { UsageJournal, UsageOpening } from '#vocabulary/usage';
import { silentLogger } from '#vocabulary/logger';

/**
 * What a key and a usage record cost: `node bench/books.ts`. CPU time per request, the event loop's apart from
 * that of the journal's thread; the same loop without a journal is measured beside it and taken off.
 */
const requests = 60_000;
const perTurn = 40;

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const storage = openStorage({ dataDir, logger: silentLogger });
const accounting = createAccounting({
  dataDir,
  applier: storage.usageApplier,
  durability: 'written',
  whenUnwritable: 'refuse',
  clock: systemClock,
  logger: silentLogger,
});
const keyPolicy = { maxKeysPerPerson: undefined, maxLifetimeMs: undefined };
const audit = createAudit({ store: storage.audit, clock: systemClock, logger: silentLogger });
const { keyRing, keyDesk } = createAccounts({
  keys: storage.keys,
  clock: systemClock,
  logger: silentLogger,
  keyPolicy,
  audit,
});
await measureKeys();
await measureJournal('warming up', accounting, 1_000);
const noJournal: UsageJournal = {
  obstacle: () => undefined,
  open: () => Promise.resolve(true),
  checkpoint() {},
  settle: () => Promise.resolve(true),
  flush: () => Promise.resolve(),
};
for (const [name, openAtOnce] of [
  ['answers within the batch', 10],
  ['streams', 2_000],
] as const) {
  const bare = await measureJournal(`${name}, no journal`, noJournal, openAtOnce);
  const kept = await measureJournal(`${name}, journal`, accounting, openAtOnce);
  const difference = (part: 'loop' | 'others') => (kept[part] - bare[part]).toFixed(1);
  console.log(`${name}: event loop +${difference('loop')} µs, other threads +${difference('others')} µs`);
}
await keyRing.stop();
await accounting.close(10_000);
await storage.close();
rmSync(dataDir, { recursive: true });

async function measureKeys(): Promise<void> {
  await storage.people.insert({
    id: 'ada',
    email: 'ada@example.org',
    name: 'Ada',
    role: 'person',
    state: 'active',
    createdAt: 0,
    passwordHash: undefined,
  });
  const operator = { kind: 'service' } as const;
  const wishes = { name: 'bench', expiresAt: undefined, models: [], networks: [] };
  const { secret } = await keyDesk.issue('ada', wishes, operator);
  const { secret: unknown, key } = await keyDesk.issue('ada', wishes, operator);
  await keyDesk.revoke('anybody', key.id, operator);
  await keyRing.start();
  // A header arrives as a string that nobody has hashed before.
  const fresh = (text: string) => Buffer.from(text, 'latin1').toString('latin1');
  const arriving = (text: string) => Array.from({ length: requests }, () => fresh(text));
  for (const [name, secrets] of [
    ['known key', arriving(secret)],
    ['well-formed unknown key', arriving(unknown)],
    ['mistyped key', arriving(`${secret.slice(0, -1)}!`)],
    ['1 MB of nonsense', Array.from({ length: requests }, () => 'x'.repeat(1_000_000))],
  ] as const) {
    const begun = performance.now();
    let found = 0;
    for (const candidate of secrets) if (keyRing.find(candidate) !== undefined) found += 1;
    const microseconds = ((performance.now() - begun) * 1_000) / requests;
    console.log(`find, ${name}: ${microseconds.toFixed(2)} µs (${found} found)`);
  }
}

async function measureJournal(name: string, journal: UsageJournal, openAtOnce: number) {
  const running: UsageOpening[] = [];
  const settle = (opening: UsageOpening | undefined) => {
    if (opening === undefined) return;
    void journal.settle({
      ...opening,
      engine: 'gpu-1',
      ending: 'completed',
      status: 200,
      usage: { inputTokens: 250, outputTokens: 90, cachedTokens: 0, reasoningTokens: 0, isEstimated: false },
      waitMs: 0.2,
      firstByteMs: 12.5,
      durationMs: 1_500.75,
      cost: 0,
    });
  };
  const loopBefore = process.threadCpuUsage();
  const allBefore = process.cpuUsage();
  for (let made = 0; made < requests; made += 1) {
    const opening = makeOpening();
    void journal.open(opening);
    running.push(opening);
    if (running.length > openAtOnce) settle(running.shift());
    if (made % perTurn === 0) await pause(1);
  }
  while (running.length > 0) settle(running.shift());
  await journal.flush();
  const loop = toMicroseconds(process.threadCpuUsage(loopBefore));
  const others = toMicroseconds(process.cpuUsage(allBefore)) - loop;
  console.log(`  ${name}: event loop ${loop.toFixed(1)} µs, other threads ${others.toFixed(1)} µs`);
  return { loop, others };
}

function makeOpening(): UsageOpening {
  return {
    requestId: randomUUIDv7(),
    startedAt: Date.now(),
    door: 'proxy',
    caller: { kind: 'key', keyId: 'key_0123456789abcdef', personId: 'person_0123456789abcdef' },
    address: '192.0.2.17',
    endpoint: 'chat/completions',
    model: 'beta-4-scout',
    requestBytes: 1_024,
    project: 'everyone',
  };
}

function toMicroseconds({ user, system }: { user: number; system: number }): number {
  return (user + system) / requests;
}
