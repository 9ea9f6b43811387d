import { createServer, request } from 'node:http';
import { startGateway, type Gateway } from '#harness/gateway';
import { startPostgres } from '#harness/postgres';

/** How many gateways the browser meets, on one PostgreSQL: what a page asks for is answered by each in turn. */
const count = Number(process.env['GATEHOUSE_GATEWAYS'] ?? 1);

export async function startGateways(
  settings: object,
  env: Readonly<Record<string, string>>,
): Promise<Gateway> {
  if (count === 1) return await startGateway({ settings, env });
  const postgres = await startPostgres();
  const front = await startFront();
  const shared = { database: await postgres.createDatabase(), service: 'campus', publicUrl: front.url };
  const gateways: Gateway[] = [];
  while (gateways.length < count) {
    const gateway = await startGateway({ settings: { ...settings, ...shared }, env });
    gateways.push(gateway);
    front.urls.push(gateway.url);
  }
  const newest = gateways.at(-1)!;
  return {
    ...newest,
    url: front.url,
    async stop() {
      front.close();
      for (const gateway of gateways) await gateway.stop();
      await postgres.stop();
    },
  };
}

/** The simplest balancer: the next request goes to the next gateway, whoever sends it. */
async function startFront() {
  const urls: string[] = [];
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const { hostname, port } = new URL(urls[turn % urls.length]!);
    const { method, url: path, headers } = incoming;
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    urls,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
