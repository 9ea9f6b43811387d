import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDrawingPace } from './drawing-pace.ts';

test('first and last words are drawn at once, and what took long rests longer, but not for ever', (context) => {
  let nowMs = 0;
  const frames: (() => void)[] = [];
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(performance, 'now', () => nowMs);
  Object.assign(globalThis, {
    document: { visibilityState: 'visible' },
    requestAnimationFrame: (action: () => void) => frames.push(action),
  });
  const pass = (ms: number) => {
    nowMs += ms;
    context.mock.timers.tick(ms);
  };
  let drawings = 0;
  let costMs = 0;
  const drawSoon = createDrawingPace({ shortestMs: 30, longestMs: 300 }, () => {
    drawings += 1;
    nowMs += costMs;
  });
  const drawFrame = () => {
    for (const action of frames.splice(0)) action();
    pass(1);
  };

  drawSoon(false);
  drawSoon(false);
  drawFrame();
  assert.equal(drawings, 1);
  drawSoon(false);
  assert.equal(frames.length, 0, 'nobody sees so many drawings');
  pass(30);
  assert.equal(frames.length, 1);
  costMs = 12;
  drawFrame();
  assert.equal(drawings, 2);
  drawSoon(false);
  pass(100);
  assert.equal(frames.length, 0, 'what took long rests longer');
  drawSoon(true);
  assert.equal(frames.length, 1, 'the last words do not wait');
  costMs = 5000;
  drawFrame();
  drawSoon(false);
  pass(300);
  assert.equal(frames.length, 1);
});
