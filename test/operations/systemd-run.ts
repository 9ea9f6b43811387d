import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { freePort } from '#harness/free-port';
import { openStream, send } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { startOwnSystemd } from './own-systemd.ts';

/** The units as they stand, under a systemd of the test's own. */
export function proveRestartUnderSystemd(): void {
  test('under systemd a restart loses no answer, and the unit goes on with the new process', async (context) => {
    const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
    context.after(() => engine.stop());
    const systemd = await startOwnSystemd({
      units: ['gatehouse.service', 'gatehouse@.service'],
      settings: stringify({
        engines: [{ name: 'one', kind: 'vllm', url: engine.url }],
        models: [{ id: 'm', engines: ['one'] }],
      }),
    });
    if (systemd === undefined)
      return context.diagnostic('not tried: no systemd of its own can be had on this machine');
    context.after(() => systemd.stop());
    const port = await freePort();
    const unit = `gatehouse@${port}`;
    const url = `http://127.0.0.1:${port}/m/v1/chat/completions`;
    const body = { model: 'm', messages: ask('hello') };
    const shown = (property: string) =>
      systemd.run('systemctl', 'show', unit, '--property', property, '--value').output.trim();
    const journalled = (words: string) =>
      `${words}\n${systemd.run('cat', '/dev/console').output.slice(-3000)}`;

    const started = systemd.run('systemctl', 'start', unit);
    assert.equal(started.status, 0, journalled(started.output));
    assert.equal((await send(url, { body })).status, 200, 'a unit that has started serves');
    const first = shown('MainPID');

    const word = mark();
    const stream = await openStream(url, {
      body: { ...body, stream: true, messages: ask(`${word} sim:frames=100000 sim:every=20`) },
    });
    await stream.untilFrames(2);
    const restarted = systemd.run('gatehouse', '@all', 'restart');
    assert.equal(restarted.status, 0, journalled(restarted.output));
    const [, second = ''] = /^Process (\d+) serves/m.exec(restarted.output) ?? [];
    assert.equal(shown('MainPID'), second);
    assert.notEqual(second, first);
    for (const generation of engine.marked(word)) generation.isToldToFinish = true;
    assert.equal(await stream.ended, 'complete');
    await waitUntil('the old process has ended', () => systemd.run('kill', '-0', first).status !== 0);
    assert.deepEqual([shown('ActiveState'), shown('MainPID'), shown('NRestarts')], ['active', second, '0']);
    assert.equal((await send(url, { body })).status, 200);

    // Killed, the new one is started again like any other; stopped, nothing is left of it.
    systemd.run('kill', '-KILL', second);
    await waitUntil(
      'systemd has started it again',
      () => shown('NRestarts') === '1' && shown('SubState') === 'running',
    );
    assert.equal((await send(url, { body })).status, 200);
    assert.equal(systemd.run('systemctl', 'stop', unit).status, 0);
    assert.deepEqual([shown('ActiveState'), shown('Result')], ['inactive', 'success']);
    await assert.rejects(send(url, { body }));
  });
}
