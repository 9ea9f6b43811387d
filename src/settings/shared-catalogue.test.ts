import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '#vocabulary/logger';
import type { ServiceNoteStore } from '#vocabulary/service-notes';
import { managedText, parseManaged, readManagedFile } from './managed-catalogue.ts';
import { SettingsMistakes } from './mistakes.ts';
import { shareCatalogue } from './shared-catalogue.ts';

const engine = (name: string) => ({ name, kind: 'vllm', url: `http://${name}:8000` });
const model = (id: string, ...engines: string[]) => ({ id, engines });
const embedded = { name: 'tiny', kind: 'embedded', modelFile: 'tiny.gguf' };
const namesIn = ({ managed: { engines, models } }: ReturnType<typeof readManagedFile>) =>
  [...engines.map(({ name }) => name), ...models.map(({ id }) => id)].join(' ');

/** One database, and gateways with a folder each. */
function openService() {
  const kept = new Map<string, string>();
  const notes: ServiceNoteStore = {
    read: async (name) => kept.get(name),
    write: async (name, value) => void kept.set(name, value),
    remove: async (name) => void kept.delete(name),
    async replace(name, before, value) {
      if (kept.get(name) !== before) return false;
      kept.set(name, value);
      return true;
    },
  };
  return {
    stored: () => parseManaged(kept.get('catalogue') ?? ''),
    openGateway(text?: string, check: () => void = () => {}) {
      const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-shared-')), 'managed.yaml');
      if (text !== undefined) writeFileSync(file, text);
      const reload = () => {};
      const shared = shareCatalogue({ notes, file, check, reload, peers: undefined, logger: silentLogger });
      return {
        ...shared,
        names: () => namesIn(readManagedFile(file)),
        text: () => readFileSync(file, 'utf8'),
        write: (next: string) => writeFileSync(file, next),
      };
    },
  };
}

test('what was made at single gateways joins once; what needs a file of a machine stays there, with its models', async () => {
  const service = openService();
  const one = service.openGateway(
    managedText({ engines: [engine('a'), embedded], models: [model('A', 'a'), model('T', 'tiny')] }),
  );
  const other = service.openGateway(managedText({ engines: [engine('b')], models: [] }));
  const empty = service.openGateway();
  for (const gateway of [one, other, empty, one]) await gateway.pull();
  assert.equal(one.names(), 'a b tiny A T');
  assert.equal(other.names(), 'a b A');
  assert.equal(empty.names(), 'a b A');
  // Whoever was away when something was removed does not bring it back.
  await one.publish({ engines: [engine('b'), embedded], models: [model('T', 'tiny')] });
  for (const gateway of [other, one]) await gateway.pull();
  assert.equal(other.names(), 'b');
  assert.equal(one.names(), 'b tiny T');
  assert.deepEqual(service.stored(), { engines: [engine('b')], models: [] });
});

test('of two changes at the same moment one is refused, and one that does not fit a gateway leaves its own alone', async () => {
  const service = openService();
  const [one, other] = [service.openGateway(), service.openGateway()];
  await one.publish({ engines: [engine('a')], models: [] });
  await assert.rejects(other.publish({ engines: [engine('b')], models: [] }), /Somebody else/);
  await other.pull();
  assert.equal(other.names(), 'a');
  const strict = service.openGateway(managedText({ engines: [engine('c')], models: [] }), () => {
    throw new SettingsMistakes([{ knob: 'engines', place: 'here', problem: 'No.', remedy: 'None.' }]);
  });
  await strict.pull();
  assert.equal(strict.names(), 'c');
});
