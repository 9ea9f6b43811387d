import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { isAlive } from '#harness/is-alive';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { ask, mark } from '#harness/service';
import { type SimulatedEngine, startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil, within } from '#harness/wait-until';
import { type OwnNginx, startNginx } from './own-nginx.ts';

/** deploy/cluster without its containers: its nginx file before three real gateways on one real PostgreSQL. */
export function proveCluster(): void {
  const gateways: Gateway[] = [];
  let postgres: PostgresServer;
  let database: string;
  let engine: SimulatedEngine;
  let nginx: OwnNginx;
  let settings: object;
  /** Processes that follow others. */
  const successors: number[] = [];
  const path = '/m/v1/chat/completions';
  const from = '127.0.0.9';

  before(async () => {
    postgres = await startPostgres();
    database = await postgres.createDatabase();
    engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
    settings = {
      listen: '127.0.0.1:0',
      database,
      publicUrl: 'https://llm.example.org',
      trustedProxies: ['127.0.0.1/32'],
      directNetworks: [{ cidr: `${from}/32`, project: 'inside' }],
      whenStopping: 'close',
      drain: '10m',
      engines: [{ name: 'one', kind: 'vllm', url: engine.url, maxConcurrent: 500 }],
      models: [{ id: 'm', engines: ['one'] }],
    };
    for (let count = 0; count < 3; count += 1) gateways.push(await startGateway({ settings }));
    const places = gateways.map(
      ({ url }, index) => [`gateway-${index + 1}:8080`, new URL(url).host] as const,
    );
    nginx = await startNginx('cluster/nginx.conf', new Map(places));
  });
  after(async () => {
    await nginx.stop();
    for (const processId of successors) if (isAlive(processId)) process.kill(processId, 'SIGTERM');
    for (const gateway of gateways) await gateway.stop();
    for (const processId of successors) await waitUntil('a successor has ended', () => !isAlive(processId));
    await Promise.all([engine.stop(), postgres.stop()]);
  });

  const bodyOf = (words: string, stream: boolean) =>
    JSON.stringify({ model: 'm', stream, messages: ask(words) });

  /** A stream that goes on until its engine is told to finish. */
  async function begin(
    word: string,
  ): Promise<{ readonly text: () => string; readonly ended: Promise<void> }> {
    const response = await nginx.open(path, {
      from,
      body: bodyOf(`${word} sim:frames=100000 sim:every=100`, true),
    });
    let text = '';
    const ended = (async () => {
      for await (const part of response) text += String(part);
    })();
    ended.catch(() => {});
    await waitUntil('the first pieces have arrived', () => (text.match(/^data: /gm)?.length ?? 0) >= 2);
    return { text: () => text, ended };
  }

  /** Callers who ask again and again, until `over`; what they got. */
  function crowd(count: number): { readonly seen: Map<number, number>; readonly over: () => Promise<void> } {
    const seen = new Map<number, number>();
    const end = new AbortController();
    const callers = Array.from({ length: count }, async () => {
      while (!end.signal.aborted) {
        const { status } = await nginx
          .call(path, { from, body: bodyOf('hello', false) })
          .catch(() => ({ status: 0 }));
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    });
    return {
      seen,
      async over() {
        end.abort();
        await Promise.all(callers);
      },
    };
  }

  async function count(sql: string): Promise<number> {
    const client = new Client({ connectionString: database });
    await client.connect();
    try {
      return Number((await client.query<{ count: string }>(sql)).rows[0]?.count);
    } finally {
      await client.end();
    }
  }

  test('behind nginx three gateways share the work, and are restarted and stopped without an error', async () => {
    const word = mark();
    const streams = await Promise.all(Array.from({ length: 12 }, () => begin(word)));
    const { seen, over } = crowd(4);
    const answered = () => seen.get(200) ?? 0;
    for (const gateway of gateways) {
      const { stdout } = await gateway.command('restart');
      successors.push(Number(/^Process (\d+) serves/.exec(stdout)?.[1]));
      const before = answered();
      await waitUntil('callers are served', () => answered() > before + 10);
    }
    assert.equal(successors.filter(isAlive).length, 3);
    assert.ok(
      gateways.every(({ pid }) => isAlive(pid)),
      'all three had some of the streams and still write',
    );
    await over();
    assert.deepEqual([...seen.keys()], [200]);

    const [stopped = 0] = successors;
    process.kill(stopped, 'SIGTERM');
    await waitUntil('nobody listens there any more', () =>
      fetch(`${gateways[0]!.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    for (let asked = 0; asked < 12; asked += 1) {
      assert.equal((await nginx.call(path, { from, body: bodyOf('hello', false) })).status, 200);
      seen.set(200, answered() + 1);
    }
    for (const generation of engine.marked(word)) generation.isToldToFinish = true;
    for (const stream of streams) {
      await within('a stream to end', stream.ended);
      assert.match(stream.text(), /data: \[DONE\]\n\n$/);
    }
    await waitUntil('the one that was stopped has ended', () => !isAlive(stopped));
    const expected = streams.length + answered();
    await waitUntil(`all ${expected} are in the books`, async () => {
      return (await count("SELECT count(*) FROM usage_records WHERE ending = 'completed'")) === expected;
    });
  });

  test('behind nginx a gateway that is dead costs no caller anything', async () => {
    const victim = await startGateway({ settings });
    const [, , third] = gateways;
    const { host } = new URL(third!.url);
    const beside = await startNginx(
      'cluster/nginx.conf',
      new Map([
        ['gateway-1:8080', new URL(victim.url).host],
        ['gateway-2:8080', host],
        ['gateway-3:8080', host],
      ]),
    );
    try {
      await victim.kill();
      for (let asked = 0; asked < 12; asked += 1)
        assert.equal((await beside.call(path, { from, body: bodyOf('hello', false) })).status, 200);
    } finally {
      await beside.stop();
    }
  });
}
