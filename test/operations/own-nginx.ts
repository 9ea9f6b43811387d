import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '#harness/free-port';
import { runProgram, searchPath, systemProgram } from '#harness/system-programs';
import { waitUntil } from '#harness/wait-until';

export interface Wishes {
  readonly from?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A real nginx with a site of deploy/ as it stands, but for ports, files and the places of the gateways. */
export interface OwnNginx {
  open(path: string, wishes?: Wishes): Promise<IncomingMessage>;
  call(path: string, wishes?: Wishes): Promise<{ status: number; text: string }>;
  stop(): Promise<void>;
}

/** `gateways` says which host and port stands for each one of the file. */
export async function startNginx(file: string, gateways: ReadonlyMap<string, string>): Promise<OwnNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'));
  const port = await freePort();
  const example = fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url));
  writeConfiguration(folder, readFileSync(example, 'utf8'), { port, plainPort: await freePort(), gateways });
  const words = ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'];
  const checked = runProgram(systemProgram('nginx'), ['-t', ...words]);
  assert.equal(checked.status, 0, checked.output);
  assert.doesNotMatch(checked.output, /\[warn\]/);
  const nginx = spawn(systemProgram('nginx'), words, { env: { PATH: searchPath }, stdio: 'inherit' });

  async function open(path: string, wishes: Wishes = {}): Promise<IncomingMessage> {
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
    return await promise;
  }

  async function call(path: string, wishes: Wishes = {}): Promise<{ status: number; text: string }> {
    const response = await open(path, wishes);
    let text = '';
    for await (const part of response) text += String(part);
    return { status: response.statusCode ?? 0, text };
  }

  await waitUntil('nginx answers', () =>
    call('/healthz').then(
      (answer) => answer.status === 200,
      () => false,
    ),
  );
  return {
    open,
    call,
    async stop() {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeConfiguration(
  folder: string,
  example: string,
  where: {
    readonly port: number;
    readonly plainPort: number;
    readonly gateways: ReadonlyMap<string, string>;
  },
): void {
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  const certificate = join(folder, 'chain.pem');
  const key = join(folder, 'key.pem');
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=llm.example.org -keyout ${key} -out ${certificate}`;
  assert.equal(runProgram('openssl', words.split(' ')).status, 0);
  let site = example
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${where.port} ssl http2;`)
    .replace(/listen \[::\]:443.*\n/, '\n')
    .replace('listen 80;', `listen 127.0.0.1:${where.plainPort};`)
    .replace(/listen \[::\]:80.*\n/, '\n')
    .replace('/etc/gatehouse/chain.pem', certificate)
    .replace('/etc/gatehouse/key.pem', key);
  for (const [written, real] of where.gateways) {
    assert.ok(site.includes(`server ${written}`), `the site has no ${written}`);
    site = site.replace(`server ${written}`, `server ${real}`);
  }
  writeFileSync(join(folder, 'gatehouse.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 2048; }
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
