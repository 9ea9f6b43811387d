import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineLogger } from '../line-logger.ts';
import { loadModel } from '../native/loaded-model.ts';
import { createStepLoop } from '../scheduler/step-loop.ts';
import type { SequenceTask } from '../scheduler/sequence-task.ts';
import { pocketFile } from './pocket-engine.ts';
import { greedy } from '../sampling/sampling-parameters.ts';

const logger = createLineLogger(process.stderr);

test('one question is read before the many of somebody else, and everybody is answered', async () => {
  const model = await loadModel({
    modelFile: pocketFile,
    threads: 1,
    slots: 5,
    contextTokens: 512,
    gpu: 'off',
    logger,
  });
  const loop = createStepLoop({ model, maxWaiting: 8, logger, onBroken: assert.fail });
  const begun: string[] = [];
  const ask = (member: string, promptTokens: number) =>
    new Promise<number>((resolve, reject) => {
      let written = 0;
      loop.submit({
        ...question(member, promptTokens),
        writer: {
          promptRead: () => begun.push(member),
          nextDirective: () => ({ kind: 'free', banned: [] }),
          accept: () => {
            written += 1;
            if (written < 3) return 'continue';
            resolve(written);
            return 'finished';
          },
          failed: reject,
        },
      });
    });
  const answers = [
    ...Array.from({ length: 4 }, () => ask('heavy', 200)),
    // Last to come, and with the longest prompt.
    ask('light', 240),
  ];
  assert.deepEqual(await Promise.all(answers), [3, 3, 3, 3, 3]);
  assert.deepEqual(begun, ['light', 'heavy', 'heavy', 'heavy', 'heavy']);
  await loop.close();
  await model.close();
});

function question(member: string, promptTokens: number): Omit<SequenceTask, 'writer'> {
  return {
    promptTokens: Array.from({ length: promptTokens }, (_unused, index) => 100 + index),
    cacheSalt: '',
    member,
    sampling: greedy,
    alternatives: undefined,
    // Reads all of it, whatever is in the cache.
    scoresPrompt: true,
  };
}
