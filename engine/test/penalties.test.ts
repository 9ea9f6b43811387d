import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineLogger } from '../line-logger.ts';
import { loadModel } from '../native/loaded-model.ts';
import { createTokenChooser } from '../sampling/token-chooser.ts';
import { pocketFile } from './pocket-engine.ts';
import { greedy } from '../sampling/sampling-parameters.ts';

test('penalties also count tokens that were not chosen freely', async () => {
  const logger = createLineLogger(process.stderr);
  const model = await loadModel({
    modelFile: pocketFile,
    threads: 1,
    slots: 1,
    contextTokens: 256,
    gpu: 'off',
    logger,
  });
  const { context } = model.bindings;
  const promptTokens = model.tokenizer.encode('Once upon a time there was a', false);
  context.initBatch(promptTokens.length);
  const [logitIndex = 0] = context.addToBatch(
    0,
    0,
    Uint32Array.from(promptTokens),
    Uint32Array.of(promptTokens.length - 1),
  );
  await context.decodeBatch();

  const outputTokens: number[] = [];
  const chooser = createTokenChooser({
    bindings: model.bindings,
    parameters: { ...greedy, frequencyPenalty: 2 },
    history: { promptTokens, outputTokens },
    contextTokens: 256,
    alternatives: undefined,
  });
  const anything: readonly number[] = [];
  const choose = async (): Promise<number> => (await chooser.choose(logitIndex, anything)).token;
  try {
    const first = await choose();
    outputTokens.push(first);
    const likeliest = await chooser.chooseAmong(logitIndex, (token) => token !== first);
    // As a closing marker or the arguments of a call would be written: without asking the sampler.
    outputTokens.push(...Array.from({ length: 20 }, () => likeliest.token));
    assert.notEqual(await choose(), likeliest.token);
  } finally {
    chooser.close();
    await model.close();
  }
});
