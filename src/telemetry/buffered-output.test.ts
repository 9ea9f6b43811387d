import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const moduleUrl = new URL('./buffered-output.ts', import.meta.url).href;

/** Writes `lines` numbered lines to its standard output in small bursts, then tells on the other channel. */
const writer = `
  import { setImmediate as breathe } from 'node:timers/promises';
  const { createBufferedOutput } = await import(${JSON.stringify(moduleUrl)});
  // As a program that has asked whether it has a terminal: its pipe does not block any more.
  const output = createBufferedOutput(process.stdout.fd);
  const lines = Number(process.argv[1]);
  for (let line = 0; line < lines; line++) {
    output.write(line + ' ' + 'x'.repeat(300) + '\\n');
    if (line % 50 === 0) await breathe();
  }
  process.stderr.write('all handed over');
  process.stdin.on('data', () => { output.flushSync(); process.exit(0); });
`;

test('every line comes out once and in order, also to a reader who pauses', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, '20000']);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (text.length % 5 === 0) {
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 5);
    }
  });
  await once(child.stderr, 'data');
  // The last few lines come by themselves, without a push.
  while (!text.includes('\n19999 ')) await sleep(50);
  child.stdin.end('end');
  await once(child, 'close');
  const numbers = text
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(' ')[0]));
  assert.deepEqual(
    numbers,
    Array.from({ length: 20_000 }, (_, index) => index),
  );
});

test('what is left at the end comes out, also when the reader is late', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, '5000']);
  await once(child.stderr, 'data');
  child.stdin.end('end');
  await sleep(300);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  assert.deepEqual(await once(child, 'close'), [0, null]);
  const numbers = new Set(
    text
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split(' ')[0])),
  );
  assert.equal(numbers.size, 5000);
});

test('a reader who goes away does not take the program along', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, '5000']);
  child.stdout.destroy();
  await once(child.stderr, 'data');
  child.stdin.end('end');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
