import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createAnswerFiles } from '#continuity';
import { waitUntil } from '#harness/wait-until';
import { silentLogger } from '#vocabulary/logger';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-left-'));
after(() => rmSync(directory, { recursive: true, force: true }));

function filesOf(ownId: string, goOn: (answer: WitnessedAnswer) => Promise<void>) {
  return createAnswerFiles({
    directory,
    processes: { ownId, isAlive: (id) => id === ownId, close: async () => {} },
    maxBodyBytes: 100_000,
    shelf: undefined,
    // Of 20,000 bytes each.
    limits: { streamsPerKey: 3, bytesPerKey: 45_000, totalBytes: 90_000 },
    goOn,
    logger: silentLogger,
  });
}

const bytesOf = (answers: readonly WitnessedAnswer[]) =>
  answers.reduce((sum, { body }) => sum + body.length, 0);

test('of what a process left only so much is taken into memory as there is room for, for each person and in all', async () => {
  const dead = filesOf('dead', async () => {});
  const tell = (id: string, personId: string, bytes: number) =>
    dead.tell(
      {
        id,
        keyId: personId,
        personId,
        address: '192.0.2.7',
        isAddressCertain: true,
        asked: 'responses',
        seconds: 0,
        begunAs: id,
        lostGateways: 0,
        response: { writerId: 'dead', ownerId: personId, directPath: undefined },
      },
      Buffer.alloc(bytes, 'x'),
      [],
      { has: () => true, after: () => [] },
    );
  for (let index = 0; index < 20; index++) tell(`a${index}`, 'ada', index === 5 ? 200 : 20_000);
  for (const personId of ['bob', 'cyd', 'dan', 'eve']) tell(personId, personId, 20_000);
  // Nobody hears of an answer before its file is there, so that no death comes too early.
  await tell('large', 'fay', 99_000).whenKnown;
  assert.ok(statSync(join(directory, 'dead', 'large')).size > 99_000);
  await dead.stop();

  const inHand = new Map<string, { answer: WitnessedAnswer; end(): void }>();
  const most = { ofAda: 0, inAll: 0, besideLarge: 0 };
  const next = filesOf('next', async (answer) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    inHand.set(answer.id, { answer, end: resolve });
    const all = [...inHand.values()].map((one) => one.answer);
    if (inHand.has('large')) most.besideLarge = Math.max(most.besideLarge, all.length - 1);
    else most.inAll = Math.max(most.inAll, bytesOf(all));
    const ofAda = all.filter(({ personId }) => personId === 'ada');
    most.ofAda = Math.max(most.ofAda, bytesOf(ofAda));
    await promise;
    inHand.delete(answer.id);
  });
  next.start();
  await waitUntil('as many as fit', () => inHand.size >= 4);
  assert.ok(
    ['a19', 'eve', 'large'].every((id) => next.isFound(id)),
    'those that wait have an heir too',
  );
  let ended = 0;
  await waitUntil('all had their turn', () => {
    const [one] = inHand.values();
    if (one !== undefined) ended++;
    one?.end();
    return ended >= 25 && inHand.size === 0 && !next.isFound('large');
  });
  assert.ok(most.inAll > 60_000 && most.inAll <= 90_000, `${most.inAll} bytes at once`);
  assert.ok(most.ofAda > 20_000 && most.ofAda <= 45_000, `${most.ofAda} bytes of one person at once`);
  assert.equal(most.besideLarge, 0, 'what is larger than all of the room goes alone');
  await waitUntil('nothing is left', () => !existsSync(join(directory, 'dead')));
  await next.stop();
});
