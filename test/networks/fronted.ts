import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import type { Reply } from './caller.ts';
import { baseUrl } from './neighbourhood.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { chat, longAnswer } from './questions.ts';

const front = '10.77.0.4';

/** nginx stands inside the permitted network and is trusted: its word counts, its own address does not. */
export function proveFrontingProxy(neighbourhood: Neighbourhood): void {
  const { onInstance, onLaptop, key } = neighbourhood;
  const url = `${baseUrl}/beta-4-scout/v1/chat/completions`;
  const body = chat('beta-4-scout');

  test('behind nginx, callers are judged by their own address', async () => {
    const began = Date.now();
    const inside = await onInstance.send({ url, at: front, body });
    assert.equal(inside.status, 200, inside.text);
    const [record] = await neighbourhood.recordsSince(began, 1);
    assert.equal(record?.address, '10.77.0.3');
    assertOutside(await onLaptop.send({ url, at: front, body }));
    const authorization = `bearer ${key}`;
    const proxy = `${baseUrl}/api/chat/completions`;
    const keyed = await onLaptop.send({ url: proxy, at: front, headers: { authorization }, body });
    assert.equal(keyed.status, 200, keyed.text);
  });

  test('the same header from elsewhere has no effect', async () => {
    for (const forged of ['10.77.0.3', '10.77.0.4', '127.0.0.1', '10.77.0.3, 10.77.0.4', '::1', 'unknown']) {
      for (const name of ['x-forwarded-for', 'forwarded']) {
        const headers = { [name]: name === 'forwarded' ? `for="${forged}"` : forged };
        assertOutside(await onLaptop.send({ url, headers, body }));
        // nginx appends the true address to what it was given.
        assertOutside(await onLaptop.send({ url, at: front, headers, body }));
      }
    }
    const headers = { 'x-forwarded-for': '10.77.0.99' };
    const bold = await onInstance.send({ url, headers, body });
    assert.equal(bold.status, 401, 'an instance cannot lay its use at the door of another');
    assert.match(bold.text, /trustedProxies/);
  });

  test('a stream passes nginx frame by frame, and leaving it frees the engine', async () => {
    const began = Date.now();
    const stream = await onInstance.beginStream(
      { url: `${baseUrl}/beta-4-scout/v1/completions`, at: front, body: longAnswer('beta-4-scout') },
      3,
    );
    assert.notEqual(
      await neighbourhood.engineIsWorkingOn(),
      0,
      'frames arrive while the engine still writes',
    );
    await onInstance.leaveStream(stream);
    const [record] = await neighbourhood.recordsSince(began, 1);
    assert.equal(record?.ending, 'caller-left');
    assert.equal(record?.address, '10.77.0.3');
    await waitUntil('the engine is free', async () => (await neighbourhood.engineIsWorkingOn()) === 0);
  });
}

function assertOutside(reply: Reply): void {
  assert.equal(reply.status, 401, reply.text);
  assert.match(reply.text, /not permitted from 10\.88\.0\.2\.|10\.88\.0\.2 passes on/);
}
