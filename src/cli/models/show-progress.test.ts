import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgressDisplay } from './show-progress.ts';

test('a terminal sees one line that redraws itself within its width', () => {
  const { written, display, clock } = openDisplay({ isTTY: true, columns: 60 });
  for (let step = 0; step <= 100; step++) {
    clock.ms = step * 50;
    display.show({ phase: 'fetching', doneBytes: step * 1e7, totalBytes: 1e9 });
  }
  display.end();
  assert.ok(written.length < 60, 'drawn at most ten times a second');
  assert.ok(written.every((text) => text.startsWith('\r') && text.endsWith('\u001b[K')));
  assert.ok(written.every((text) => text.length < 60 + 4));
  assert.match(written[30] ?? '', /━+─+ {2}60 % {2}600 MB of 1\.0 GB/);
});

test('a log file sees a plain line now and then, and every setback', () => {
  const { written, display, clock } = openDisplay({});
  for (let step = 0; step <= 100; step++) {
    clock.ms = step * 200;
    display.show({ phase: 'fetching', doneBytes: step * 1e7, totalBytes: 1e9 });
    if (step === 50) display.show({ phase: 'waiting', detail: 'ECONNRESET' });
  }
  display.end();
  assert.equal(written.length, 6);
  assert.ok(written.every((text) => /^[ -~]+\n$/.test(text)));
  assert.match(written.join(''), /trying again \(ECONNRESET\)/);
  assert.match(written.at(-2) ?? '', /75 % {2}750 MB of 1\.0 GB {2}50 MB\/s {2}0:05 left/);
});

function openDisplay(surface: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const display = createProgressDisplay(
    'pulling',
    { ...surface, write: (text) => written.push(text) },
    () => clock.ms,
  );
  return { written, display, clock };
}
