import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { runProgram } from '#harness/system-programs';
import { loadSettings } from '#settings';

const chart = fileURLToPath(new URL('../../deploy/helm/gatehouse', import.meta.url));

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly volumes: readonly { readonly name: string }[];
    readonly containers: readonly {
      readonly image: string;
      readonly env: readonly { readonly name: string }[];
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
      readonly volumeMounts: readonly { readonly name: string }[];
    }[];
  };
}

/** The chart with the real helm: what it says about it, and what a cluster would get. */
export function proveChart(helm: string): void {
  const run = (...words: string[]) => runProgram(helm, words);
  const render = (values: object) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-chart-'));
    try {
      writeFileSync(join(folder, 'values.yaml'), stringify(values));
      return run('template', 'campus', chart, '--kube-version', '1.31.0', '-f', join(folder, 'values.yaml'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test('helm finds nothing wrong with the chart, and what it renders fits together', () => {
    const linted = run('lint', '--strict', chart, '--set', 'database.existingSecret=db');
    assert.equal(linted.status, 0, linted.output);
    const { status, output } = render({
      database: { existingSecret: 'db' },
      environmentSecret: 'engine-keys',
      ingress: { enabled: true },
      serviceMonitor: { enabled: true },
      settings: {
        engines: [{ name: 'gpu-1', kind: 'vllm', url: 'http://gpu-1:8000', credential: '${ENGINE_KEY}' }],
        models: [{ id: 'gamma-oss-120b', engines: ['gpu-1'] }],
      },
    });
    assert.equal(status, 0, output);
    const resources = parseAllDocuments(output)
      .map((document) => {
        assert.deepEqual(document.errors, []);
        return document.toJS() as Resource | null;
      })
      .filter((resource) => resource !== null);
    const find = (kind: string) => resources.find((resource) => resource.kind === kind) ?? assert.fail(kind);

    const gateways = find('StatefulSet');
    const template = gateways.spec['template'] as PodTemplate;
    const [container] = template.spec.containers;
    const { settings } = loadSettings({
      file: writtenSettings(find('ConfigMap').data?.['gatehouse.yaml'] ?? ''),
      environment: { ENGINE_KEY: 'a key', GATEHOUSE_DATABASE: 'postgres://gatehouse:secret@db/gatehouse' },
      workingDirectory: tmpdir(),
    });
    assert.equal(container!.ports.find(({ name }) => name === 'http')?.containerPort, settings.listen.port);
    assert.equal(
      container!.ports.find(({ name }) => name === 'metrics')?.containerPort,
      settings.metricsListen?.port,
    );
    assert.equal(settings.whenStopping, 'close');
    assert.ok(template.spec.terminationGracePeriodSeconds * 1000 > settings.drainMs + 10_000);
    assert.match(container!.image, /^gatehouse:\d/);
    assert.ok(container!.env.some(({ name }) => name === 'GATEHOUSE_DATABASE'));
    const claims = gateways.spec['volumeClaimTemplates'] as { metadata: { name: string } }[];
    const volumes = [
      ...template.spec.volumes.map(({ name }) => name),
      ...claims.map((one) => one.metadata.name),
    ];
    for (const { name } of container!.volumeMounts) assert.ok(volumes.includes(name), name);

    const services = resources.filter(({ kind }) => kind === 'Service');
    for (const { spec, metadata } of services)
      for (const [label, value] of Object.entries(spec['selector'] as Record<string, string>))
        assert.equal(template.metadata.labels[label], value, `${metadata.name} finds the gateways`);
    const names = services.map(({ metadata }) => metadata.name);
    assert.ok(names.includes(String(gateways.spec['serviceName'])));
    const [rule] = find('Ingress').spec['rules'] as [
      { http: { paths: [{ backend: { service: { name: string } } }] } },
    ];
    assert.ok(names.includes(rule.http.paths[0].backend.service.name));
    const { matchLabels } = find('ServiceMonitor').spec['selector'] as {
      matchLabels: Record<string, string>;
    };
    const watched = services.filter(({ metadata }) =>
      Object.entries(matchLabels).every(([label, value]) => metadata.labels[label] === value),
    );
    assert.deepEqual(
      watched.map(({ metadata }) => metadata.name),
      [gateways.spec['serviceName']],
    );
  });

  test('the chart refuses what cannot work, in a sentence', () => {
    assert.match(render({ replicas: 2 }).output, /Several gateways share a PostgreSQL database/);
    assert.equal(render({ replicas: 1 }).status, 0);
    for (const wrong of [{ replicas: 0 }, { replica: 2 }, { settings: { listen: '0.0.0.0:1' } }])
      assert.notEqual(
        render({ database: { existingSecret: 'db' }, ...wrong }).status,
        0,
        JSON.stringify(wrong),
      );
  });

  function writtenSettings(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-chart-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    assert.equal(typeof parse(text), 'object');
    writeFileSync(join(folder, 'gatehouse.yaml'), text);
    return join(folder, 'gatehouse.yaml');
  }
}
