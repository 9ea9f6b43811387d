import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from '#harness/gateway';
import type { Gateway, UsageRow } from '#harness/gateway';
import { waitUntil } from '#harness/wait-until';
import { startCaller } from './caller.ts';
import type { Caller } from './caller.ts';
import { createAuthority } from './certificates.ts';
import type { Authority } from './certificates.ts';
import { curl } from './curl.ts';
import { startFrontingProxy } from './fronting-proxy.ts';
import { createHosts } from './hosts.ts';
import type { Host, Hosts } from './hosts.ts';
import { searchPath } from '#harness/system-programs';
import { openTunnels } from './tunnels.ts';
import type { Tunnels } from './tunnels.ts';

export const hostname = 'llm.gatehouse.test';
export const baseUrl = `https://${hostname}`;

/** Everything that stands around the service and the service itself, running. */
export interface Neighbourhood extends AsyncDisposable {
  readonly hosts: Hosts;
  readonly gateway: Gateway;
  readonly key: string;
  readonly authority: Authority;
  readonly tunnels: Tunnels;
  readonly onInstance: Caller;
  readonly onLaptop: Caller;
  curl(host: Host, url: string, sent?: Parameters<typeof curl>[3]): ReturnType<typeof curl>;
  /** Gives the service a new certificate, as a renewal does. */
  renewCertificate(): void;
  records(): UsageRow[];
  /** Resolves when that many requests that began at this moment or later are in the books. */
  recordsSince(startedAt: number, count: number): Promise<UsageRow[]>;
  /** How many sequences the engine itself says it is working on. */
  engineIsWorkingOn(): Promise<number>;
}

export async function openNeighbourhood(): Promise<Neighbourhood> {
  const hosts = createHosts();
  const { folder } = hosts;
  const removeAll = () => hosts[Symbol.dispose]();
  // Whatever ends this process, nothing of it stays behind.
  process.once('exit', removeAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

  for (const host of [hosts.server, hosts.instance, hosts.front, hosts.laptop])
    host.writeHostsFile([`10.77.0.2 ${hostname}`]);
  const authority = createAuthority(folder);
  const certificate = authority.certify(hostname, 'server');
  const tunnels = openTunnels(hosts.instance, folder, '10.88.0.3');
  startFrontingProxy(hosts.front, {
    folder,
    hostname,
    certificate: authority.certify(hostname, 'front'),
    authorityFile: authority.certificateFile,
    upstream: '10.77.0.2:443',
  });
  const onInstance = startCaller(hosts.instance, authority.certificateFile);
  const onLaptop = startCaller(hosts.laptop, authority.certificateFile);
  const gateway = await startGateway({
    through: hosts.server.entry,
    dataDir: folder,
    env: { PATH: searchPath },
    settings: {
      listen: '[::]:443',
      publicUrl: baseUrl,
      tls: certificate,
      directNetworks: [
        { cidr: '10.77.0.0/24', project: 'physics' },
        { cidr: 'fd77::/64', project: 'physics-v6' },
      ],
      trustedProxies: ['10.77.0.4/32'],
      limits: { headerTimeout: '5s' },
      log: { level: 'info', format: 'json' },
    },
  });
  const { stdout: key } = await gateway.command('keys', 'create', '--name', 'laptop');
  const curlFrom: Neighbourhood['curl'] = (host, url, sent) =>
    curl(host, authority.certificateFile, url, sent);
  await waitUntil('the service knows the key', async () => {
    const reply = await onLaptop.send({
      url: `${baseUrl}/api/models`,
      headers: { authorization: `Bearer ${key.trim()}` },
    });
    return reply.status === 200;
  });
  return {
    hosts,
    gateway,
    key: key.trim(),
    authority,
    tunnels,
    onInstance,
    onLaptop,
    curl: curlFrom,
    renewCertificate: () => void authority.certify(hostname, 'server'),
    records: gateway.usageRecords,
    recordsSince: (startedAt, count) =>
      waitUntil(`${count} requests are in the books`, () => {
        const found = gateway.usageRecords().filter((record) => record.started_at >= startedAt);
        return found.length >= count ? found : undefined;
      }),
    engineIsWorkingOn: async () => {
      const sockets = readdirSync(join(folder, 'run')).filter((name) => name.endsWith('.sock'));
      const words = [
        '--silent',
        '--unix-socket',
        join(folder, 'run', sockets[0] ?? ''),
        'http://engine/metrics',
      ];
      const metrics = await hosts.server.run('curl', ...words);
      return Number(/^gatehouse_engine_requests_running (\d+)/m.exec(metrics)?.[1]);
    },
    async [Symbol.asyncDispose]() {
      try {
        await gateway.stop();
      } finally {
        process.off('exit', removeAll);
        removeAll();
      }
    },
  };
}
