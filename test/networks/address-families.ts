import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import { baseUrl, hostname } from './neighbourhood.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { chat } from './questions.ts';
import type { Tunnel } from './tunnels.ts';

/** The service listens on `[::]`: callers of both families, each judged by the networks of its own family. */
export function proveAddressFamilies(neighbourhood: Neighbourhood): void {
  const { hosts, tunnels, onInstance, onLaptop, key, curl } = neighbourhood;
  const url = `${baseUrl}/beta-4-scout/v1/chat/completions`;
  const body = chat('beta-4-scout');

  test('inside and outside, over IPv4 and IPv6', async () => {
    for (const [at, address, project] of [
      ['10.77.0.2', '10.77.0.3', 'physics'],
      ['::ffff:10.77.0.2', '10.77.0.3', 'physics'],
      ['fd77::2', 'fd77::3', 'physics-v6'],
    ] as const) {
      const began = Date.now();
      const reply = await onInstance.send({ url, at, body });
      assert.equal(reply.status, 200, reply.text);
      const [record] = await neighbourhood.recordsSince(began, 1);
      assert.equal(record?.address, address);
      assert.equal(record?.project, project);
    }
    const [v4, v6] = await onLaptop.sendAll([
      { url, at: '10.77.0.2', body },
      { url, at: 'fd77::2', body },
    ]);
    assert.equal(v4?.status, 401);
    assert.match(v4?.text ?? '', /not permitted from 10\.88\.0\.2\./);
    assert.equal(v6?.status, 401);
    assert.match(v6?.text ?? '', /not permitted from fd88::2\./);
    const authorization = `bearer ${key}`;
    const proxied = await onLaptop.send({
      url: `${baseUrl}/api/chat/completions`,
      at: 'fd77::2',
      headers: { authorization },
      body,
    });
    assert.equal(proxied.status, 200, proxied.text);
  });

  test('an address of the link alone is told without its zone, and is nobody inside', async () => {
    const shown = await hosts.server.run('ip', '-6', '-brief', 'address', 'show', 'dev', 'eth0');
    const link = /fe80:[0-9a-f:]+/.exec(shown)?.[0];
    const { status, body: refusal } = await curl(hosts.instance, `${baseUrl}/beta-4-scout/v1/models`, {
      words: ['--connect-to', `${hostname}:443:[${link}%eth0]:443`],
    });
    assert.equal(status, 401, refusal);
    assert.match(refusal, /not permitted from fe80:[0-9a-f:]+\./);
  });

  test('both methods reach the server at its IPv6 address too', async () => {
    const becomesOpen = (url: string, tunnel: Tunnel) =>
      waitUntil(
        'the tunnel is open',
        async () => (await onLaptop.send({ url }).catch(() => undefined))?.status === 200,
        30_000,
      ).catch((cause: unknown) => {
        throw new Error(tunnel.output(), { cause });
      });
    try {
      hosts.laptop.writeHostsFile([`127.0.0.1 ${hostname}`]);
      await using forwarding = tunnels.forward(hosts.laptop, '8446:[fd77::2]:443');
      await becomesOpen(`${baseUrl}:8446/beta-4-scout/v1/models`, forwarding);
      hosts.laptop.writeHostsFile([`fd77::2 ${hostname}`]);
      await using shuttle = tunnels.sshuttle(hosts.laptop, 'fd77::2/128');
      await becomesOpen(`${baseUrl}/beta-4-scout/v1/models`, shuttle);
    } finally {
      hosts.laptop.writeHostsFile([`10.77.0.2 ${hostname}`]);
    }
  });
}
