import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, type Service, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { type OwnNginx, startNginx } from './own-nginx.ts';

/** The example as it stands, but for ports and files, in front of the real service. */
export function proveNginx(): void {
  let service: Service;
  let nginx: OwnNginx;

  before(async () => {
    service = await startService({
      settings: {
        publicUrl: 'https://llm.example.org',
        trustedProxies: ['127.0.0.1/32'],
        directNetworks: [{ cidr: '127.0.0.9/32', project: 'inside' }],
      },
    });
    const { host } = new URL(service.gateway.url);
    nginx = await startNginx('nginx/gatehouse.conf', new Map([['127.0.0.1:8080', host]]));
  });
  after(async () => {
    await Promise.all([nginx.stop(), service[Symbol.asyncDispose]()]);
  });

  test('behind nginx a stream arrives piece by piece', async () => {
    const response = await nginx.open('/beta-4-scout/v1/chat/completions', {
      from: '127.0.0.9',
      body: JSON.stringify({ model: 'beta-4-scout', stream: true, messages: ask('sim:hang-after=2') }),
    });
    let text = '';
    response.on('data', (part: Buffer) => (text += part.toString()));
    response.on('error', () => {});
    // The engine never ends this answer: what arrives has not waited for the end.
    await waitUntil('the first pieces have arrived', () => (text.match(/^data: /gm)?.length ?? 0) >= 2);
    response.destroy();
    await waitUntil('the engine is free again', () => service.engineA.activeGenerations === 0);
  });

  test('behind nginx the network rule sees the caller, whatever the caller claims', async () => {
    const body = JSON.stringify({ model: 'beta-4-scout', messages: ask('hello') });
    const inside = await nginx.call('/beta-4-scout/v1/chat/completions', { from: '127.0.0.9', body });
    assert.equal(inside.status, 200, inside.text);
    const headers = { 'x-forwarded-for': '127.0.0.9', forwarded: 'for=127.0.0.9' };
    const outside = await nginx.call('/beta-4-scout/v1/chat/completions', {
      from: '127.0.0.1',
      body,
      headers,
    });
    assert.equal(outside.status, 401, outside.text);
    assert.match(outside.text, /127\.0\.0\.1/);
    const listed = await waitUntil('the request is on the books', () =>
      service.gateway.usageRecords().find(({ project }) => project === 'inside'),
    );
    assert.equal(listed.network, '127.0.0.9/32');
  });

  test('behind nginx large prompts pass, larger ones are refused, and metrics stay inside', async () => {
    const prompt = (bytes: number) =>
      JSON.stringify({ model: 'beta-4-scout', messages: ask('x'.repeat(bytes)) });
    const from = '127.0.0.9';
    const large = await nginx.call('/beta-4-scout/v1/chat/completions', { from, body: prompt(8 * 2 ** 20) });
    assert.equal(large.status, 200, large.text.slice(0, 200));
    const larger = await nginx.call('/beta-4-scout/v1/chat/completions', {
      from,
      body: prompt(33 * 2 ** 20),
    });
    assert.equal(larger.status, 413);
    assert.equal((await nginx.call('/metrics')).status, 404);
  });
}
