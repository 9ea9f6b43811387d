import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { databases } from '#harness/databases';
import type { Caller } from '#vocabulary/caller';
import type { UsageGrouping } from '#vocabulary/stores';
import type { UsageRecord } from '#vocabulary/usage';
import { usageDays } from './migrations/041-usage-days.ts';
import { openStorage } from './storage.ts';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const dayMs = 86_400_000;

const callers = fc.oneof(
  fc.constantFrom<Caller>(
    { kind: 'person', personId: 'ada' },
    { kind: 'key', keyId: 'k1', personId: 'ada' },
    { kind: 'key', keyId: 'k2', personId: 'bob' },
    { kind: 'network', cidr: '10.0.0.0/8', project: 'lab' },
    { kind: 'network', cidr: '10.0.0.0/8', project: undefined },
  ),
);

const records = fc.array(
  fc.record({
    startedAt: fc.integer({ min: 0, max: 5 * dayMs }),
    caller: callers,
    project: fc.constantFrom('everyone', 'lab'),
    cost: fc.nat(100),
    door: fc.constantFrom('proxy' as const, 'direct' as const, 'chat' as const),
    model: fc.constantFrom('a', 'b'),
    ending: fc.constantFrom('completed' as const, 'caller-left' as const),
    inputTokens: fc.nat(1000),
    outputTokens: fc.nat(1000),
    isEstimated: fc.boolean(),
  }),
  { maxLength: 40 },
);

const groupOf: Readonly<Record<UsageGrouping, (record: UsageRecord) => string>> = {
  key: ({ caller }) => (caller.kind === 'key' ? caller.keyId : ''),
  project: ({ project }) => project,
  person: ({ caller }) => (caller.kind === 'network' ? '' : caller.personId),
  model: ({ model }) => model,
  door: ({ door }) => door,
  network: ({ caller }) => (caller.kind === 'network' ? caller.cidr : ''),
  day: ({ startedAt }) => new Date(startedAt).toISOString().slice(0, 10),
};

/** In any order. */
const byGroup = (rows: readonly (readonly unknown[])[]) =>
  new Map(rows.map(([group, ...sums]) => [group, sums]));

function sumOf<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

function sumUp(of: readonly UsageRecord[], by: UsageGrouping) {
  const groups = Object.entries(Object.groupBy(of, groupOf[by]));
  return groups.map(([group, members = []]) => [
    group,
    members.length,
    members.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
    members.reduce(
      (sum, { usage }) => sum + (usage.isEstimated ? usage.inputTokens + usage.outputTokens : 0),
      0,
    ),
    members.filter(({ ending }) => ending !== 'completed').length,
  ]);
}

for (const { name, build } of databases)
  test(`${name}: a report adds up every request of its period once, however often it was applied, also when it is forgotten`, async () => {
    const house = await build();
    const storage = await house.open();
    const applier = await house.openApplier();
    await fc.assert(
      fc.asyncProperty(records, fc.nat(5 * dayMs), fc.nat(5 * dayMs), async (drawn, one, other) => {
        await house.execute('DELETE FROM usage_records; DELETE FROM usage_days');
        const all: UsageRecord[] = drawn.map(
          ({ inputTokens, outputTokens, isEstimated, ...rest }, index) => ({
            ...rest,
            requestId: `r${index}`,
            address: '::1',
            endpoint: 'completions',
            requestBytes: 1,
            engine: undefined,
            status: 200,
            usage: { inputTokens, outputTokens, cachedTokens: 0, reasoningTokens: 0, isEstimated },
            waitMs: 0,
            firstByteMs: undefined,
            durationMs: 1,
          }),
        );
        await applier.apply(all);
        await applier.apply(all.slice(all.length / 2));
        const [since, until] = [Math.min(one, other), Math.max(one, other)];
        const inPeriod = all.filter(({ startedAt }) => startedAt >= since && startedAt < until);
        for (const by of ['key', 'project', 'person', 'model', 'door', 'day'] as const) {
          const report = await storage.usage.report({ by, since, until });
          const told = report.map((row) => [
            row.group,
            row.requests,
            row.outputTokens,
            row.estimatedTokens,
            row.unfinishedRequests,
          ]);
          assert.deepEqual(byGroup(told), byGroup(sumUp(inPeriod, by)), by);
        }
        const byKey = { by: 'key', since, until } as const;
        const everybody = await storage.usage.report(byKey);
        const { groups, others } = await storage.usage.reportLargest(byKey, 1);
        assert.deepEqual(groups, everybody.slice(0, 1));
        const rest = everybody.slice(1);
        assert.deepEqual(
          [others?.groups ?? 0, others?.requests ?? 0, others?.outputTokens ?? 0],
          [rest.length, ...(['requests', 'outputTokens'] as const).map((sum) => sumOf(rest, sum))],
        );
        // Of whole days: those at the ends of the period count in full.
        const wholeDays = { by: 'key', since: 0, until: 6 * dayMs } as const;
        const days = await storage.usage.reportDays(wholeDays, ['k1']);
        const ofKey = all.filter((record) => groupOf.key(record) === 'k1').length;
        assert.equal(
          sumOf(
            days.filter(({ group }) => group === 'k1'),
            'requests',
          ),
          ofKey,
        );
        assert.equal(
          sumOf(
            days.filter(({ group }) => group === null),
            'requests',
          ),
          all.length - ofKey,
        );
        const spent = await storage.usage.readSpending(4 * dayMs, 2 * dayMs);
        const costSince = (startedAt: number) =>
          all.reduce((sum, record) => sum + (record.startedAt >= startedAt ? record.cost : 0), 0);
        for (const [period, startedAt] of [
          ['day', 4 * dayMs],
          ['month', 2 * dayMs],
          ['total', 0],
        ] as const)
          assert.equal(
            spent.reduce((sum, row) => sum + row[period], 0),
            costSince(startedAt),
            period,
          );
        while ((await storage.usage.forgetSome(6 * dayMs)) > 0);
        assert.equal(await storage.usage.find('r0'), undefined);
        const kept = await storage.usage.report({ by: 'model', since: undefined, until: undefined });
        assert.deepEqual(
          byGroup(kept.map((row) => [row.group, row.requests])),
          byGroup(sumUp(all, 'model').map(([group, requests]) => [group, requests])),
        );
        const rows = await storage.personUsage.rowsOf('ada', 0, 6 * dayMs);
        const ofAda = all.filter((record) => groupOf.person(record) === 'ada');
        assert.equal(
          rows.reduce((sum, { requests }) => sum + requests, 0),
          ofAda.length,
        );
      }),
      { numRuns: 25 },
    );
    await applier.close();
    await storage.close();
  });

test('an upgrade adds up what was there before', async () => {
  const dataDir = join(scratch, 'upgraded');
  const storage = openStorage({ dataDir, logger: silentLogger, queriesRunIn: 'this-thread' });
  await storage.close();
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.exec(`DROP TABLE usage_days; DELETE FROM migrations WHERE number = ${usageDays.number}`);
  const insert = database.prepare(
    `INSERT INTO usage_records VALUES (?, ?, 'proxy', 'key', 'k', 'ada', NULL, NULL, '::1', 'completions', 'm', NULL,
       'completed', 200, 1, 2, 0, 0, 0, 1, 0, NULL, 1, 0, 0, NULL)`,
  );
  for (let index = 0; index < 10; index += 1) insert.run(`r${index}`, index * (dayMs / 5));
  database.close();
  const upgraded = openStorage({ dataDir, logger: silentLogger, queriesRunIn: 'this-thread' });
  const days = await upgraded.usage.report({ by: 'day', since: 0, until: 2 * dayMs });
  assert.deepEqual(
    days.map(({ group, requests, outputTokens }) => [group, requests, outputTokens]),
    [
      ['1970-01-01', 5, 10],
      ['1970-01-02', 5, 10],
    ],
  );
  await upgraded.close();
});
