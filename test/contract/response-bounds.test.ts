import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { databases } from '#harness/databases';
import { waitUntil } from '#harness/wait-until';
import { responseId } from '#dialects/responses/response-frame';
import { createResponses } from '#responses';
import { Refusal } from '#vocabulary/refusal';
import type { KeptResponse } from '#vocabulary/response-store';
import { silentLogger } from '#vocabulary/logger';

/** What a clock and a full database do to kept responses, which takes too long to wait for at a running service. */
const [sqlite] = databases;
const storage = await (await sqlite!.build()).open();
after(() => storage.close());
const store = storage.responses;
const clock = { now: 1_000_000, wallMs: () => clock.now, monotonicMs: () => clock.now };
const owner = { id: 'address 192.0.2.7', personId: undefined };
const bounds = {
  keepMs: 10_000,
  ownerBytes: 1_000_000,
  totalBytes: 10_000_000,
  maxBodyBytes: 1_000_000,
  heirsMs: 0,
  hasHeir: () => false,
};
const room = (changes: Partial<typeof bounds> = {}) =>
  createResponses({ store, ...bounds, ...changes, clock, logger: silentLogger });

const keptOf = (id: string, parts: Partial<KeptResponse> = {}): KeptResponse => ({
  id,
  owner,
  createdAt: clock.now,
  expiresAt: clock.now + 10_000,
  aliveUntil: undefined,
  previousId: undefined,
  response: JSON.stringify({ id, status: 'in_progress', background: true, output: [] }),
  input: '[]',
  events: undefined,
  ...parts,
});
const refuses = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;

test('a response whose gateway was killed is failed, one that another gateway writes is not', async () => {
  await store.keep(keptOf('resp_dead', { aliveUntil: clock.now - 1 }));
  await store.keep(keptOf('resp_elsewhere', { aliveUntil: clock.now + 1 }));
  const responses = room();
  assert.equal((await responses.read(owner, 'resp_dead')).status, 'failed');
  assert.equal((await responses.read(owner, 'resp_elsewhere')).status, 'in_progress');
  await assert.rejects(responses.readEvents(owner, 'resp_dead'), refuses('invalid_request'));
});

test('it is forgotten when its time is over', async () => {
  await store.keep(keptOf('resp_old'));
  const responses = room();
  assert.equal((await responses.read(owner, 'resp_old')).id, 'resp_old');
  clock.now += 10_001;
  await assert.rejects(responses.read(owner, 'resp_old'), refuses('not_found'));
  responses.start();
  await waitUntil('nothing is left of it', async () => (await store.totalBytes()) === 0);
  await responses.stop();
});

test('when all room is taken nothing more is kept, and what is not to be kept goes on', async () => {
  await store.keep(keptOf('resp_large', { input: JSON.stringify('x'.repeat(9000)) }));
  const { shelf } = room({ totalBytes: 9000 });
  const ask = { owner, requestId: 'r-1', body: { input: 'hello', store: true } };
  await assert.rejects(shelf.open(ask), refuses('storage_full'));
  assert.equal(await shelf.open({ ...ask, body: { input: 'hello' } }), undefined);
});

test('many that come at once do not all find the same room', async () => {
  const { shelf } = room({ totalBytes: (await store.totalBytes()) + 9000 });
  const body = { input: 'x'.repeat(4000), store: true };
  const opened = await Promise.allSettled(
    [1, 2, 3, 4].map((number) => shelf.open({ owner, requestId: `r-${number}`, body })),
  );
  assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 2);
});

test('a response that ends while the database is away is kept when it is back', async () => {
  const refusals = [new Error('away'), new Error('still away')];
  const away: typeof store = {
    ...store,
    writerId: store.writerId,
    keep: async (kept) => {
      const refusal = refusals.pop();
      if (refusal !== undefined) throw refusal;
      await store.keep(kept);
    },
  };
  const { shelf, read } = createResponses({ store: away, ...bounds, clock, logger: silentLogger });
  const opened = await shelf.open({ owner, requestId: 'r-away', body: { input: 'hello', store: true } });
  opened?.observer?.finished({ id: 'resp_raway', status: 'completed', output: [] });
  assert.equal((await read(owner, responseId('r-away'))).status, 'completed', 'found before it is written');
  const stranger = { id: 'address 192.0.2.8', personId: undefined };
  await assert.rejects(read(stranger, responseId('r-away')), refuses('not_found'));
  const kept = await waitUntil('it is written', () => store.find(owner.id, responseId('r-away'), clock.now));
  assert.match(kept.response, /"status":"completed"/);
  assert.deepEqual(refusals, []);
});

test('an owner has a bounded number of responses under way, which hurts nobody else', () => {
  const responses = room();
  const begun = Array.from({ length: 16 }, (_, index) => responses.beginRun(owner, `r-${index}`));
  assert.throws(() => responses.beginRun(owner, 'r-16'), refuses('rate_limit_exceeded'));
  const other = { id: 'address 192.0.2.8', personId: undefined };
  responses.beginRun(other, 'r-17')[Symbol.dispose]();
  begun[0]?.[Symbol.dispose]();
  responses.beginRun(owner, 'r-18');
});
