import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '#harness/free-port';
import { ask, type Service, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { runProgram, searchPath, systemProgram } from '#harness/system-programs';

const example = fileURLToPath(new URL('../../deploy/nginx/gatehouse.conf', import.meta.url));

/** The example as it stands, but for ports and files, in front of the real service. */
export function proveNginx(): void {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'));
  let service: Service;
  let port = 0;
  let nginx: ReturnType<typeof spawn>;

  before(async () => {
    service = await startService({
      settings: {
        publicUrl: 'https://llm.example.org',
        trustedProxies: ['127.0.0.1/32'],
        directNetworks: [{ cidr: '127.0.0.9/32', project: 'inside' }],
      },
    });
    port = await freePort();
    writeConfiguration(folder, {
      port,
      upstream: new URL(service.gateway.url).host,
      plainPort: await freePort(),
    });
    nginx = spawn(systemProgram('nginx'), ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
      env: { PATH: searchPath },
      stdio: 'inherit',
    });
    await waitUntil('nginx answers', () =>
      call('/healthz').then(
        (answer) => answer.status === 200,
        () => false,
      ),
    );
  });
  after(async () => {
    nginx.kill('SIGTERM');
    await Promise.all([once(nginx, 'exit'), service[Symbol.asyncDispose]()]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('behind nginx a stream arrives piece by piece', async () => {
    const { response } = await open('/beta-4-scout/v1/chat/completions', {
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
    const inside = await call('/beta-4-scout/v1/chat/completions', { from: '127.0.0.9', body });
    assert.equal(inside.status, 200, inside.text);
    const headers = { 'x-forwarded-for': '127.0.0.9', forwarded: 'for=127.0.0.9' };
    const outside = await call('/beta-4-scout/v1/chat/completions', { from: '127.0.0.1', body, headers });
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
    const large = await call('/beta-4-scout/v1/chat/completions', { from, body: prompt(8 * 2 ** 20) });
    assert.equal(large.status, 200, large.text.slice(0, 200));
    const larger = await call('/beta-4-scout/v1/chat/completions', { from, body: prompt(33 * 2 ** 20) });
    assert.equal(larger.status, 413);
    assert.equal((await call('/metrics')).status, 404);
  });

  interface Wishes {
    readonly from?: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  async function open(path: string, wishes: Wishes = {}) {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      servername: 'llm.example.org',
      rejectUnauthorized: false,
      agent: false,
      method: wishes.body === undefined ? 'GET' : 'POST',
      headers: {
        host: 'llm.example.org',
        ...(wishes.body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(wishes.body),
        }),
        ...wishes.headers,
      },
      ...(wishes.from !== undefined && { localAddress: wishes.from }),
    });
    // nginx refuses a large upload before it has read it.
    outgoing.on('error', () => {});
    outgoing.end(wishes.body);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    outgoing.on('response', resolve);
    outgoing.on('close', () => reject(new Error('the connection was closed without an answer')));
    return { response: await promise };
  }

  async function call(path: string, wishes: Wishes = {}): Promise<{ status: number; text: string }> {
    const { response } = await open(path, wishes);
    let text = '';
    for await (const part of response) text += String(part);
    return { status: response.statusCode ?? 0, text };
  }
}

function writeConfiguration(
  folder: string,
  where: { port: number; plainPort: number; upstream: string },
): void {
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  const certificate = join(folder, 'chain.pem');
  const key = join(folder, 'key.pem');
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=llm.example.org -keyout ${key} -out ${certificate}`;
  assert.equal(runProgram('openssl', words.split(' ')).status, 0);
  const site = readFileSync(example, 'utf8')
    .replace('server 127.0.0.1:8080;', `server ${where.upstream};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${where.port} ssl http2;`)
    .replace(/listen \[::\]:443.*\n/, '\n')
    .replace('listen 80;', `listen 127.0.0.1:${where.plainPort};`)
    .replace(/listen \[::\]:80.*\n/, '\n')
    .replace('/etc/gatehouse/chain.pem', certificate)
    .replace('/etc/gatehouse/key.pem', key);
  writeFileSync(join(folder, 'gatehouse.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/gatehouse.conf;
}
`,
  );
}
