import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sequence } from './sequence.ts';
import { createSequence } from './sequence.ts';
import { createStepPlanner } from './step-planner.ts';
import type { StepPlanner } from './step-planner.ts';

test('after a slow moment prompts are read as fast as before, also while others write', () => {
  const planner = createStepPlanner({ batchTokens: 512, chunkTokens: 62 });
  const writers = Array.from({ length: 7 }, () => sequenceOf('heavy', 1));
  for (const writer of writers) writer.isReading = false;
  const reader = sequenceOf('light', 100_000);
  const running = [...writers, reader];
  for (const sequence of running) planner.joined(sequence);

  const usual = readIn(100, 0.5);
  const slow = readIn(1, 60);
  readIn(20, 0.5);
  assert.ok(slow < usual);
  assert.ok(Math.abs(readIn(100, 0.5) - usual) < usual / 10);

  /** Tokens of the prompt in so many steps, each of which takes so long for a token. */
  function readIn(steps: number, millisecondsPerToken: number): number {
    const before = reader.pending.length;
    for (let step = 0; step < steps; step += 1) takeStep(planner, running, millisecondsPerToken);
    return before - reader.pending.length;
  }
});

test('on a fast machine too a stream gets a word after two pieces of a prompt', () => {
  const planner = createStepPlanner({ batchTokens: 512, chunkTokens: 62 });
  const writer = sequenceOf('a', 1);
  writer.isReading = false;
  const running = [writer, sequenceOf('b', 10_000)];
  for (const sequence of running) planner.joined(sequence);
  for (let step = 0; step < 30; step += 1) takeStep(planner, running, 0.01);
  const wrote = Array.from({ length: 30 }, () => {
    const isWriting = planner.plan(running)[0] === 1;
    takeStep(planner, running, 0.01);
    return isWriting;
  });
  assert.equal(wrote.filter(Boolean).length, 10);
});

test('of one member’s prompts a long one lets others have their turn', () => {
  const planner = createStepPlanner({ batchTokens: 512, chunkTokens: 62 });
  const long = sequenceOf('a', 5000);
  const short = sequenceOf('a', 100);
  for (const sequence of [long, short]) planner.joined(sequence);
  while (short.pending.length > 0) takeStep(planner, [long, short], 0.5);
  assert.ok(long.pending.length > 4000);
});

function sequenceOf(member: string, pending: number): Sequence {
  const sequence = createSequence({ member } as Sequence['task']);
  sequence.pending = Array.from({ length: pending }, () => 0);
  return sequence;
}

function takeStep(planner: StepPlanner, running: readonly Sequence[], millisecondsPerToken: number): void {
  const plan = planner.plan(running);
  const moves = running.flatMap((sequence, index) => {
    const tokenCount = plan[index] ?? 0;
    return tokenCount > 0 ? [{ sequence, tokenCount, drafted: [] }] : [];
  });
  planner.took(moves, moves.reduce((sum, { tokenCount }) => sum + tokenCount, 0) * millisecondsPerToken);
  for (const { sequence, tokenCount } of moves)
    if (sequence.isReading) sequence.pending.splice(0, tokenCount);
}
