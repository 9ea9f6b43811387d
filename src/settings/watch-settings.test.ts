import assert from 'node:assert/strict';
import { once, EventEmitter } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Logger } from '#vocabulary/logger';
import { loadSettings, watchSettings, type Settings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-watch-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'gatehouse.yaml');

/** As an editor does it: written beside, then renamed. */
function write(yaml: string): void {
  writeFileSync(`${file}.new`, yaml);
  renameSync(`${file}.new`, file);
}

test('a changed file and SIGHUP bring new networks; mistakes and restarts are told, nothing else changes', async () => {
  const heard = new EventEmitter<{ change: [Settings]; mistakes: [Error]; line: [string] }>();
  const lines: string[] = [];
  const write1 = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Logger = { debug: write1, info: write1, warn: write1, error: write1, child: () => log };
  const load = () => loadSettings({ file, environment: {}, workingDirectory: folder });
  write('drain: 1s\n');
  const watch = watchSettings({
    started: load(),
    load,
    onChange: (settings) => heard.emit('change', settings),
    onMistakes: (mistakes) => heard.emit('mistakes', mistakes),
    log,
    pollMs: 20,
    settleMs: 5,
  });
  try {
    const changed = once(heard, 'change');
    write('drain: 2s\ndirectNetworks: [10.0.0.0/8]\n');
    const [settings] = await changed;
    assert.deepEqual(settings.catalogue.directNetworks, [{ cidr: '10.0.0.0/8', project: undefined }]);
    assert.equal(settings.drainMs, 1000);
    assert.ok(
      lines.some((line) => line.includes('after a restart') && line.includes('["drain"]')),
      lines.join(),
    );

    const mistaken = once(heard, 'mistakes');
    write('directNetworks: [everyone]\n');
    assert.match(String((await mistaken)[0]), /gatehouse\.yaml:1:18/);
    assert.ok(lines.some((line) => line.includes('the old ones stay in force')));

    watch.close();
    write('directNetworks: [10.1.0.0/16]\n');
    const second = watchSettings({
      started: load(),
      load,
      onChange: (it) => heard.emit('change', it),
      log,
      pollMs: 3e6,
    });
    const asked = once(heard, 'change');
    write('directNetworks: [10.2.0.0/16]\n');
    process.kill(process.pid, 'SIGHUP');
    assert.equal((await asked)[0].catalogue.directNetworks[0]?.cidr, '10.2.0.0/16');
    second.close();
  } finally {
    watch.close();
  }
});
