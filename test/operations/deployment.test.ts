import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { certificate, privateKey } from '#harness/certificate';
import { freePort } from '#harness/free-port';
import { startService } from '#harness/service';
import { loadSettings } from '#settings';
import { refusalKind, type RefusalCode } from '#vocabulary/refusal';
import { commands } from '../../src/cli/commands.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(repository, 'deploy/compose');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');

interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, { ipv4_address?: string }>>;
  readonly depends_on?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly privileged?: boolean;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = parse(read('deploy/compose/compose.yaml')) as Compose;
const example = new Map(
  [...read('deploy/compose/env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
    name!,
    value || 'filled-in',
  ]),
);
const fill = (text: string) =>
  text.replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => example.get(name) ?? '');
const service = (name: string) =>
  compose.services[name] ?? assert.fail(`compose.yaml has no service ${name}`);

test('everything the compose file names exists', () => {
  const text = read('deploy/compose/compose.yaml');
  const wanted = new Set([...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1]!));
  assert.deepEqual([...wanted].toSorted(), [...example.keys()].toSorted(), 'the variables of env.example');
  for (const [name, one] of Object.entries(compose.services)) {
    const networks = Array.isArray(one.networks) ? one.networks : Object.keys(one.networks);
    for (const network of networks as string[]) assert.ok(network in compose.networks, `${name}: ${network}`);
    for (const other of one.depends_on ?? []) assert.ok(other in compose.services, `${name}: ${other}`);
    for (const volume of one.volumes ?? []) {
      const [source = ''] = volume.split(':');
      const isThere = source.startsWith('.') ? existsSync(join(folder, source)) : source in compose.volumes;
      assert.ok(isThere, `${name}: ${volume}`);
    }
    assert.ok(one.privileged !== true, `${name} is privileged`);
    if (one.image !== undefined) assert.match(one.image, /^[\w./-]+:v?\d[\w.-]*$/, 'a pinned version');
  }
  const { build, read_only: isReadOnly, cap_drop: dropped } = service('gatehouse');
  assert.ok(existsSync(join(folder, build!.context, build!.dockerfile)));
  assert.equal(isReadOnly, true);
  assert.deepEqual(dropped, ['ALL']);
});

test('the settings of the compose file are right, and fit its engines, proxy and provider', () => {
  const environment = Object.fromEntries(
    Object.entries(service('gatehouse').environment ?? {}).map(([name, value]) => [name, fill(value)]),
  );
  const { settings } = loadSettings({
    file: join(folder, 'gatehouse.yaml'),
    environment: { ...environment, GATEHOUSE_SETTINGS: undefined },
    workingDirectory: folder,
  });
  const { engines, models, trustedProxies } = settings.catalogue;
  for (const model of models) {
    for (const { engineName, upstreamModel } of model.replicas) {
      const engine = engines.find(({ name }) => name === engineName)!;
      const { hostname, port } = new URL(engine.url);
      const { command = [] } = service(hostname);
      const words = command.map(fill);
      assert.ok(words.includes(`--served-model-name=${upstreamModel}`), hostname);
      assert.ok(words.includes(`--api-key=${engine.credential}`), hostname);
      const usualPort = engine.kind === 'vllm' ? '8000' : '30000';
      assert.equal(port, usualPort, hostname);
      if (model.supportsTools)
        assert.ok(
          words.some((word) => word.startsWith('--tool-call-parser=')),
          hostname,
        );
      if (model.reasoning !== 'none')
        assert.ok(
          words.some((word) => word.startsWith('--reasoning-parser=')),
          hostname,
        );
    }
  }
  const { front } = service('caddy').networks as Record<string, { ipv4_address: string }>;
  assert.deepEqual(trustedProxies, [`${front!.ipv4_address}/32`]);

  const realm = JSON.parse(read('deploy/compose/realm.json')) as {
    realm: string;
    clients: { clientId: string; redirectUris: string[] }[];
    groups: { name: string }[];
  };
  const [provider] = settings.signIn.providers;
  assert.equal(provider?.issuer, `https://${example.get('LOGIN_HOST')}/realms/${realm.realm}`);
  const [client] = realm.clients;
  assert.equal(client?.clientId, provider.clientId);
  assert.deepEqual(client.redirectUris, [
    'https://${GATEHOUSE_HOST}/console/sign-in/provider/campus/callback',
  ]);
  assert.equal(provider.name, 'campus');
  assert.deepEqual(
    provider.adminGroups,
    realm.groups.map(({ name }) => name),
  );
  assert.equal(settings.publicUrl, `https://${example.get('GATEHOUSE_HOST')}`);
});

test('the image runs as nobody special and knows when it is well', async () => {
  const lines = read('deploy/docker/Dockerfile');
  const final = lines.slice(lines.lastIndexOf('\nFROM '));
  assert.match(final, /^USER (?!0\b|root\b)\d+:\d+$/m);
  assert.match(final, /^HEALTHCHECK /m);
  const [, command = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(final) ?? [];
  const [, check = '[]'] = /^ {2}CMD (\["node", .*\])$/m.exec(final) ?? [];
  for (const words of [command, check]) {
    const [program, ...rest] = JSON.parse(words) as string[];
    const file = rest.at(-1) ?? '';
    assert.equal(program, 'node');
    assert.ok(existsSync(join(repository, file)), file);
  }
  const [, healthcheck = ''] = JSON.parse(check) as string[];
  await using running = await startService();
  const { port } = new URL(running.gateway.url);
  assert.equal(await exitOf(healthcheck, { GATEHOUSE_LISTEN: `0.0.0.0:${port}` }), 0);
  assert.equal(await exitOf(healthcheck, { GATEHOUSE_LISTEN: `0.0.0.0:${await freePort()}` }), 1);
  const encrypted = createServer({ cert: certificate, key: privateKey }, (_, response) => response.end());
  await once(encrypted.listen(0, '127.0.0.1'), 'listening');
  const { port: tlsPort } = encrypted.address() as AddressInfo;
  assert.equal(await exitOf(healthcheck, { PORT: String(tlsPort) }), 0, 'the settings file may have tls');
  encrypted.close();
});

test('what the guide for operators names exists, and its settings are right', () => {
  const guide = read('docs/operate.md');
  for (const [, target = ''] of guide.matchAll(/\]\(([^)#]+)\)/g))
    assert.ok(existsSync(join(repository, 'docs', target)), target);
  const names = new Set(commands.map(({ name }) => name));
  for (const [, name = ''] of guide.matchAll(/(?:`|sudo |-- )gatehouse ([a-z-]+)/g))
    assert.ok(names.has(name), `gatehouse ${name}`);
  for (const [, code = ''] of guide.matchAll(/\b[45]\d\d `([a-z_]+)`/g))
    assert.ok(refusalKind(code as RefusalCode) !== undefined, code);

  // A file that the unit names has to exist before the first start.
  const [, install = ''] = /## Install\n\n```sh\n([\s\S]+?)```/.exec(guide) ?? [];
  const named = /GATEHOUSE_SETTINGS=(\S+)/.exec(read('deploy/systemd/gatehouse.service'))?.[1] ?? 'none';
  assert.ok(install.slice(0, install.indexOf('enable --now')).includes(`> ${named}\n`), named);

  const etc = mkdtempSync(join(tmpdir(), 'gatehouse-guide-'));
  try {
    for (const file of ['chain.pem', 'key.pem', 'client-secret']) writeFileSync(join(etc, file), 'a secret');
    const blocks = [...guide.matchAll(/```yaml\n([\s\S]+?)```/g)];
    assert.ok(blocks.length >= 4);
    for (const [, block = ''] of blocks) {
      const file = join(etc, 'gatehouse.yaml');
      writeFileSync(file, block.replaceAll('/etc/gatehouse', etc));
      loadSettings({ file, environment: { ENGINE_KEY: 'a key' }, workingDirectory: etc });
    }
  } finally {
    rmSync(etc, { recursive: true, force: true });
  }
});

async function exitOf(file: string, env: Record<string, string>): Promise<number> {
  const child = execFile(process.execPath, [join(repository, file)], { env });
  const [status] = (await once(child, 'close')) as [number];
  return status;
}
