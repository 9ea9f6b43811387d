import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolderOf } from '#harness/cache-folder';
import { systemProgram } from '#harness/system-programs';
import { endsWithUs, scratchFolder } from './surroundings.ts';

/** Something that stands between a caller and the upstream. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What it wants the model to be called; `bench` unless it says so. */
  readonly model?: string | undefined;
  readonly processId: number;
  /** Where its inspector listens, if it was started with one. */
  readonly inspectorUrl?: string | undefined;
  stop(): void;
}

/** As `npm start` has them. */
const startFlags = ['--min-semi-space-size=32', '--max-semi-space-size=64'];
const ownRepository = new URL('..', import.meta.url).pathname;

export interface UpstreamCounts {
  readonly activeStreams: number;
  readonly connections: number;
  readonly requests: number;
}

export interface Upstream extends Contender {
  readonly port: number;
  counts(): Promise<UpstreamCounts>;
}

export async function startUpstream(): Promise<Upstream> {
  const { child, port } = await startProgram('bench/upstream.ts');
  const counts = async () => {
    child.send('counts');
    const [answer] = (await once(child, 'message')) as [UpstreamCounts];
    return answer;
  };
  return { ...(await ready({ name: 'no gateway', url: chatUrl(port), headers: {}, child })), port, counts };
}

export async function startBareRelay(upstreamPort: number): Promise<Contender> {
  const { child, port } = await startProgram('bench/bare-relay.ts', String(upstreamPort));
  return ready({ name: 'bare Node relay', url: chatUrl(port), headers: {}, child });
}

export async function startBarePipe(upstreamPort: number): Promise<Contender> {
  const { child, port } = await startProgram('bench/bare-pipe.ts', String(upstreamPort));
  return ready({ name: 'bare Node pipe', url: chatUrl(port), headers: {}, child });
}

export async function startProgram(
  file: string,
  ...words: string[]
): Promise<{ child: ChildProcess; port: number }> {
  const child = endsWithUs(fork(join(ownRepository, file), words));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

function chatUrl(port: number): string {
  return `http://127.0.0.1:${port}/v1/chat/completions`;
}

export async function startNginx(upstreamPort: number): Promise<Contender> {
  const port = await freePort();
  const root = scratchFolder('nginx');
  writeFileSync(
    join(root, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${root}/pid; error_log ${root}/error.log warn;
events { worker_connections 8192; }
http {
  access_log off; client_body_temp_path ${root}/body; proxy_temp_path ${root}/proxy; fastcgi_temp_path ${root}/f; uwsgi_temp_path ${root}/u; scgi_temp_path ${root}/s;
  client_max_body_size 64m; client_body_buffer_size 1m; keepalive_requests 1000000;
  upstream engine { server 127.0.0.1:${upstreamPort}; keepalive 2048; keepalive_requests 1000000; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://engine; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; } }
}`,
  );
  const child = spawn(systemProgram('nginx'), ['-p', root, '-c', join(root, 'nginx.conf')], {
    stdio: 'inherit',
  });
  return ready({ name: 'nginx', url: `http://127.0.0.1:${port}/v1/chat/completions`, headers: {}, child });
}

/** Not a dependency of the product: installed beside the measurement, once. */
export async function startPortkey(upstreamPort: number): Promise<Contender> {
  const home = join(cacheFolderOf('bench'), 'portkey');
  const entry = join(home, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(entry)) {
    mkdirSync(home, { recursive: true });
    execFileSync(
      'npm',
      ['install', '--prefix', home, '--no-save', '--ignore-scripts', '@portkey-ai/gateway@1.15.2'],
      { stdio: 'ignore' },
    );
  }
  const port = await freePort();
  const child = spawn(process.execPath, [entry, `--port=${port}`, '--headless'], {
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const headers = {
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
    authorization: 'Bearer bench',
  };
  return ready({ name: 'Portkey', url: `http://127.0.0.1:${port}/v1/chat/completions`, headers, child });
}

/** So high that nobody reaches them. */
const everyLimit = {
  requestsPerMinute: 10_000_000,
  tokensPerMinute: 100_000_000_000,
  requestsAtOnce: 10_000,
  costPerDay: 1_000_000_000_000,
  costPerMonth: 1_000_000_000_000,
};

/** The real program with keys, limits and durable accounting on; both doors of one process. */
export async function startGatehouse(
  upstreamPort: number,
  {
    repository = ownRepository,
    hasLimits = false,
    nodeFlags = [] as readonly string[],
    /** The address of a PostgreSQL; a file without it. */
    database = undefined as string | undefined,
    /** Of one address: all callers of a measurement have the same. */
    maxConnections = undefined as number | undefined,
  } = {},
): Promise<{
  readonly proxy: Contender;
  readonly direct: Contender;
  readonly dataDir: string;
  /** `gatehouse …` beside the running one. */
  readonly command: (...words: string[]) => string;
}> {
  const dataDir = scratchFolder('data');
  const settings = join(dataDir, 'gatehouse.yaml');
  writeFileSync(
    settings,
    JSON.stringify({
      engines: [
        { name: 'upstream', kind: 'vllm', url: `http://127.0.0.1:${upstreamPort}`, maxConcurrent: 4096 },
      ],
      models: [{ id: 'bench', engines: ['upstream'] }],
      log: { level: 'info', format: 'json' },
      ...(database !== undefined && { database }),
      ...(maxConnections && { limits: { maxConnectionsPerAddress: maxConnections } }),
      ...(hasLimits ? { sharing: { limits: { key: everyLimit, person: everyLimit } } } : {}),
    }),
  );
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_SETTINGS: settings,
  };
  const command = (...words: string[]) =>
    execFileSync(process.execPath, [join(repository, 'src/cli/cli.ts'), ...words], {
      env,
      encoding: 'utf8',
    }).trim();
  const key = command('keys', 'create', '--name', 'bench');
  const child = spawn(process.execPath, [...startFlags, ...nodeFlags, join(repository, 'src/main.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let inspectorUrl: string | undefined;
  child.stderr.on('data', (chunk: Buffer) => {
    inspectorUrl ??= /ws:\/\/\S+/.exec(chunk.toString())?.[0];
    process.stderr.write(chunk);
  });
  const proxy = await ready({
    name: 'Gatehouse, proxy door',
    url: `http://127.0.0.1:${port}/api/chat/completions`,
    headers: { authorization: `bearer ${key}` },
    child,
  });
  return {
    dataDir,
    command,
    proxy: { ...proxy, inspectorUrl },
    direct: {
      ...proxy,
      name: 'Gatehouse, direct door',
      url: `http://127.0.0.1:${port}/bench/v1/chat/completions`,
      headers: {},
    },
  };
}

export async function ready(parts: {
  name: string;
  url: string;
  headers: Record<string, string>;
  model?: string;
  child: ChildProcess;
}): Promise<Contender> {
  const { child, ...contender } = parts;
  endsWithUs(child);
  const body = JSON.stringify({
    model: parts.model ?? 'bench',
    messages: [{ role: 'user', content: 'hello' }],
  });
  for (let attempt = 0; attempt < 2400; attempt++) {
    const response = await fetch(contender.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...contender.headers },
      body,
    }).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200)
      return { ...contender, processId: child.pid ?? 0, stop: () => child.kill() };
    if (child.exitCode !== null) break;
    await sleep(100);
  }
  child.kill();
  throw new Error(`${parts.name} did not come up`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
