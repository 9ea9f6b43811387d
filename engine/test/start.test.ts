import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startEngine } from '../engine.ts';

test('an engine process gets no secrets of its parent, and says why it cannot start', async () => {
  process.env['GATEHOUSE_DATABASE_PASSWORD'] = 'open-sesame';
  const engine = startEngine({
    modelFile: '/nowhere/at-all.gguf',
    listen: { host: '127.0.0.1', port: 0 },
    threads: 1,
    slots: 1,
    contextTokens: 'auto',
    gpu: 'off',
    profiles: [],
  });
  delete process.env['GATEHOUSE_DATABASE_PASSWORD'];
  const environment = readFileSync(`/proc/${engine.pid}/environ`, 'utf8');
  const [[message], [status]] = (await Promise.all([once(engine, 'message'), once(engine, 'exit')])) as [
    [{ type: string; reason: string }],
    [number],
  ];
  assert.match(environment, /PATH=/);
  assert.doesNotMatch(environment, /open-sesame/);
  assert.equal(message.type, 'failed');
  assert.match(message.reason, /no such file/);
  assert.equal(status, 1);
});
