import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import { baseUrl, hostname } from './neighbourhood.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { chat, longAnswer } from './questions.ts';
import type { Tunnel } from './tunnels.ts';

/** Section 4.1 of the contract: a laptop outside comes in through an instance that its owner may log in to. */
export function proveTunnels(neighbourhood: Neighbourhood): void {
  const { hosts, tunnels, curl, onLaptop } = neighbourhood;

  test('method 1: sshuttle to the address of the server, direct addresses unchanged', async () => {
    const open = () => tunnels.sshuttle(hosts.laptop, '10.77.0.2/32');
    await useTunnel(open, baseUrl);
    await becomes(baseUrl, 401, 'without the tunnel the laptop is outside again');
  });

  test('method 2: ssh -L and a hosts entry, the local port behind the name', async () => {
    hosts.laptop.writeHostsFile([`127.0.0.1 ${hostname}`]);
    const open = () => tunnels.forward(hosts.laptop, '8443:10.77.0.2:443');
    await useTunnel(open, `${baseUrl}:8443`);
    const called = onLaptop.send({ url: `${baseUrl}:8443/beta-4-scout/v1/models` });
    await assert.rejects(called, /ECONNREFUSED/, 'without the tunnel nobody listens');
    hosts.laptop.writeHostsFile([`10.77.0.2 ${hostname}`]);
  });

  async function useTunnel(open: () => Tunnel, base: string): Promise<void> {
    const direct = `${base}/beta-4-scout/v1`;
    await using first = open();
    await becomes(base, 200, 'the tunnel is open', first);
    await callThrough(direct);

    const began = Date.now();
    const stream = await onLaptop.beginStream(
      { url: `${direct}/completions`, body: longAnswer('beta-4-scout') },
      3,
    );
    assert.notEqual(await neighbourhood.engineIsWorkingOn(), 0);
    await first.cut();
    assert.equal((await onLaptop.awaitStream(stream)).isWhole, false);
    const [record] = await neighbourhood.recordsSince(began, 1);
    assert.equal(record?.ending, 'caller-left');
    assert.equal(record?.address, '10.77.0.3');
    assert.ok((record?.output_tokens ?? 0) > 0 && (record?.output_tokens ?? 0) < 1900);
    await waitUntil('the engine is free', async () => (await neighbourhood.engineIsWorkingOn()) === 0);

    await using second = open();
    await becomes(base, 200, 'the tunnel is open again', second);
    await callThrough(direct);
  }

  /** Whole and streamed, with curl and with the official client; the books know the instance as the caller. */
  async function callThrough(direct: string): Promise<void> {
    const began = Date.now();
    const url = `${direct}/chat/completions`;
    const whole = await curl(hosts.laptop, url, { body: chat('beta-4-scout') });
    assert.equal(whole.status, 200, whole.body);
    const streamed = await curl(hosts.laptop, url, { body: chat('beta-4-scout', { stream: true }) });
    assert.match(streamed.body, /data: \[DONE\]\s*$/);
    const said = await onLaptop.useClient({
      baseUrl: direct,
      apiKey: 'anything',
      model: 'beta-4-scout',
      hasCompletions: true,
    });
    assert.deepEqual(said.models, ['beta-4-scout']);
    assert.ok(said.streamed !== '' && said.finishReason !== null);
    for (const record of await neighbourhood.recordsSince(began, 5)) {
      assert.equal(record.address, '10.77.0.3');
      assert.equal(record.project, 'physics');
      assert.equal(record.door, 'direct');
      assert.equal(record.ending, 'completed');
    }
  }

  async function becomes(base: string, status: number, what: string, tunnel?: Tunnel): Promise<void> {
    const look = async () => {
      const reply = await onLaptop.send({ url: `${base}/beta-4-scout/v1/models` }).catch(() => undefined);
      return reply?.status === status;
    };
    await waitUntil(what, look, 30_000).catch((cause: unknown) => {
      throw new Error(tunnel?.output() ?? 'no tunnel', { cause });
    });
  }
}
