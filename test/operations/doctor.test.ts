import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { freePort } from '#harness/free-port';
import { startService } from '#harness/service';
import { openStorage } from '#storage';
import { silentLogger } from '#vocabulary/logger';
import { startIdentityProvider } from '../console/identity-provider.ts';

interface Report {
  readonly problems: number;
  readonly warnings: number;
  readonly findings: readonly { about: string; state: string; said: string; advice?: string }[];
}

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-doctor-test-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const provider = (issuer: string, clientSecret: string) => ({
  name: 'campus',
  issuer,
  clientId: 'gatehouse',
  clientSecret,
});

test('beside a running service the doctor asks everybody and finds all well', async () => {
  await using campus = await startIdentityProvider();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  await campus.tell({ kind: 'client', url: publicUrl });
  const signIn = { providers: [provider(campus.issuer, 'a secret between two services')] };
  await using service = await startService({
    settings: { listen: `127.0.0.1:${port}`, publicUrl, signIn },
  });
  const { engineA, engineB, gateway } = service;
  const heardBefore = engineA.generations.length;
  const report = JSON.parse((await gateway.command('doctor', '--json')).stdout) as Report;

  assert.equal(report.problems, 0, JSON.stringify(report.findings));
  const said = (about: string) => report.findings.filter((one) => one.about === about).map((one) => one.said);
  assert.match(said('port').join(), /is answered by Gatehouse .*, ready/);
  assert.match(said('journal').join(), /Written by 1 running service/);
  assert.equal(said('engine engine-a').length, 2, 'one line for each model of the engine');
  assert.match(said('engine engine-b').join(), /org\/alpha generated for alpha-R1/);
  assert.match(said('sign-in campus').join(), /knows us as gatehouse/);
  assert.match(said('clock').join(), /Agrees with engine engine-a/);
  assert.ok(engineA.generations.length > heardBefore, 'engines really generate');
  const { body } = engineB.requests.findLast(({ url }) => url.endsWith('/chat/completions')) ?? {};
  assert.match(String(body), /"max_tokens":1\b/);
});

test('without a service the doctor loads the model inside and lets it generate', async () => {
  const home = join(scratch, 'fresh');
  mkdirSync(home);
  const { status, stdout } = await doctor(home, { PORT: String(await freePort()) });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^ok {7}engine pocket: Loaded in .* and generated in /m);
  assert.match(stdout, /^ok {7}data folder: .* is made at the first start/m);
  assert.match(stdout, /^ok {7}memory: /m);
  const nobody = `postgres://gatehouse:a-password@127.0.0.1:${await freePort()}/campus`;
  const lost = await doctor(home, { GATEHOUSE_DATABASE: nobody }, '--quick');
  assert.equal(lost.status, 1);
  assert.match(lost.stdout, /^problem {2}database: The database campus on .*Nothing listens there/m);
  assert.doesNotMatch(lost.stdout, /a-password/);
});

test('what is wrong is told with what to do next', async () => {
  await using campus = await startIdentityProvider();
  await campus.tell({ kind: 'client', url: 'https://elsewhere.example.org' });
  const taken = await serve((_request, response) => response.end('somebody else'));
  const tenMinutesAgo = () => new Date(Date.now() - 600_000).toUTCString();
  const withoutParser = await serve((request, response) => {
    response.setHeader('date', tenMinutesAgo());
    if (request.method === 'GET') response.end('{"data":[{"id":"beta"},{"id":"other"}]}');
    else void answerWithoutParser(request, response);
  });
  const locked = await serve((_request, response) => response.writeHead(401).end());
  const home = join(scratch, 'sick');
  mkdirSync(home);
  await makeNewerDatabase(join(home, 'data'));
  const settings = {
    listen: `127.0.0.1:${taken.port}`,
    publicUrl: 'https://llm.example.org',
    dataDir: 'data',
    directNetworks: ['0.0.0.0/0'],
    limits: { maxConnections: 1_000_000 },
    engines: [
      { name: 'tools', kind: 'vllm', url: withoutParser.url },
      { name: 'locked', kind: 'sglang', url: locked.url, credential: 'an old key' },
      { name: 'gone', kind: 'openai', url: `http://127.0.0.1:${await freePort()}` },
    ],
    models: [
      { id: 'beta', engines: ['tools'], tools: true },
      { id: 'unknown', engines: ['tools'] },
      { id: 'alpha', engines: ['locked', 'gone'] },
    ],
    signIn: { localAccounts: false, providers: [provider(campus.issuer, 'a wrong secret')] },
  };
  writeFileSync(join(home, 'gatehouse.yaml'), stringify(settings), { mode: 0o644 });
  const { status, stdout } = await doctor(home, {});
  assert.equal(status, 1);
  const expected = [
    /^warning {2}settings: .*gatehouse\.yaml holds a secret.*\n.*chmod 600/m,
    /^warning {2}settings: directNetworks has 0\.0\.0\.0\/0/m,
    /^warning {2}settings: publicUrl has https, but/m,
    /^problem {2}port: .* is taken by another program/m,
    /^problem {2}database: .*newer version of Gatehouse/m,
    /^problem {2}engine tools: beta has tools: true, but .*answered 400.*\n.*--enable-auto-tool-choice/m,
    /^problem {2}engine tools: It does not serve unknown .* but beta, other.*\n.*--served-model-name unknown/m,
    /^problem {2}engine locked: It does not accept the credential/m,
    /^problem {2}engine gone: .*nothing listens there/m,
    /^problem {2}sign-in campus: The provider does not accept gatehouse with the secret/m,
    /^warning {2}sign-in campus: .*\n.*https:\/\/llm\.example\.org\/console\/sign-in\/provider\/campus\/callback/m,
    /^warning {2}open files: .*\n.*LimitNOFILE=/m,
    /^problem {2}clock: It is 600 s ahead of engine tools/m,
  ];
  for (const line of expected) assert.match(stdout, line);
  for (const server of [taken, withoutParser, locked]) server.close();
});

test('mistakes in the settings are findings, one for each', async () => {
  const home = join(scratch, 'mistaken');
  mkdirSync(home);
  writeFileSync(join(home, 'gatehouse.yaml'), 'listen: nowhere\nheartbeat: soon\n');
  const { status, stdout } = await doctor(home, {}, '--json');
  assert.equal(status, 1);
  const { findings, problems } = JSON.parse(stdout) as Report;
  assert.equal(problems, 2);
  assert.deepEqual(
    findings.map(({ said }) => /gatehouse\.yaml:\d/.exec(said)?.[0]),
    ['gatehouse.yaml:1', 'gatehouse.yaml:2'],
  );
});

async function answerWithoutParser(
  request: Parameters<RequestListener>[0],
  response: Parameters<RequestListener>[1],
): Promise<void> {
  let body = '';
  for await (const part of request) body += String(part);
  if (!body.includes('"tools"')) response.end('{"choices":[],"usage":{"prompt_tokens":1}}');
  else response.writeHead(400).end('{"error":{"message":"\\"auto\\" tool choice requires a parser"}}');
}

async function makeNewerDatabase(dataDir: string): Promise<void> {
  await openStorage({ dataDir, logger: silentLogger, queriesRunIn: 'this-thread' }).close();
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.exec("INSERT INTO migrations (number, name, applied_at) VALUES (999, 'later', 0)");
  database.close();
}

async function serve(listener: RequestListener): Promise<{ url: string; port: number; close(): void }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, close: () => server.close() };
}

async function doctor(home: string, env: Record<string, string>, ...words: string[]) {
  const program = new URL('../../bin/gatehouse.js', import.meta.url).pathname;
  const child = execFile(process.execPath, [program, 'doctor', ...words], {
    cwd: home,
    env: { PATH: process.env['PATH'], ...env },
  });
  let stdout = '';
  child.stdout?.on('data', (text: string) => (stdout += text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, stdout };
}
