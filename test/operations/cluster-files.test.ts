import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { loadSettings } from '#settings';

const folder = fileURLToPath(new URL('../../deploy/cluster', import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, { ipv4_address?: string }>>;
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const gateways = Object.entries(compose.services).filter(([name]) => name.startsWith('gateway-'));
/** The operator brings these. */
const brought = ['./chain.pem', './key.pem'];

test('everything that the files of the cluster name exists, and they fit together', () => {
  const wanted = new Set([...read('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!));
  const example = [...read('env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);
  assert.deepEqual([...wanted].toSorted(), example.toSorted(), 'the variables of env.example');
  for (const [name, { image, networks, volumes }] of Object.entries(compose.services)) {
    for (const network of Array.isArray(networks) ? networks : Object.keys(networks))
      assert.ok(network in compose.networks, `${name}: ${network}`);
    for (const volume of volumes) {
      const [source = ''] = volume.split(':');
      const isThere = source.startsWith('.') ? existsSync(join(folder, source)) : source in compose.volumes;
      assert.ok(isThere || brought.includes(source), `${name}: ${volume}`);
    }
    assert.match(image ?? '', /^[\w./-]+:\d[\w.-]*$/, `${name} has a pinned version`);
  }

  const environment = Object.fromEntries(
    Object.entries(gateways[0]?.[1].environment ?? {}).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\w+:\?\}/g, 'filled-in'),
    ]),
  );
  const { settings } = loadSettings({
    file: join(folder, 'gatehouse.yaml'),
    environment: { ...environment, GATEHOUSE_SETTINGS: undefined },
    workingDirectory: folder,
  });
  const nginx = compose.services['nginx'] ?? assert.fail('there is no nginx');
  const { front } = nginx.networks as Record<string, { ipv4_address: string }>;
  assert.deepEqual(settings.catalogue.trustedProxies, [`${front!.ipv4_address}/32`]);
  assert.equal(settings.whenStopping, 'close', 'nginx leaves a gateway that stops');

  assert.equal(gateways.length, 3);
  const upstream = [...read('nginx.conf').matchAll(/^ {4}server ([\w-]+):(\d+)/gm)];
  assert.deepEqual(
    upstream.map(([, name, port]) => [name, Number(port)]),
    gateways.map(([name]) => [name, settings.listen.port]),
  );
  const journals = new Set(gateways.map(([, { volumes }]) => volumes.find((one) => one.endsWith(':/data'))));
  assert.equal(journals.size, 3, 'each has a journal of its own');
  for (const [name, one] of gateways) {
    assert.ok(existsSync(join(folder, one.build!.context, one.build!.dockerfile)), name);
    assert.deepEqual([one.read_only, one.cap_drop], [true, ['ALL']], name);
    const graceMs = Number(/^(\d+)m$/.exec(one.stop_grace_period ?? '')?.[1]) * 60_000;
    assert.ok(graceMs > settings.drainMs, `${name} is given the time that its answers have`);
  }
});
