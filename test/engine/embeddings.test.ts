import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createChatTemplate } from '../../src/engines/llama-cpp/chat/chat-template.ts';
import { createTokenTable } from '../../src/engines/llama-cpp/constraint/token-table.ts';
import { createLineLogger } from '../../src/engines/llama-cpp/line-logger.ts';
import { loadModel } from '../../src/engines/llama-cpp/native/loaded-model.ts';
import type { LoadedModel } from '../../src/engines/llama-cpp/native/loaded-model.ts';
import { createStepLoop } from '../../src/engines/llama-cpp/scheduler/step-loop.ts';
import { createEngineServer } from '../../src/engines/llama-cpp/wire/engine-server.ts';
import { pocketFile, pocketProfiles } from './pocket-engine.ts';

test('embeddings are computed between steps, never beside one, and streams go on', async () => {
  const logger = createLineLogger(process.stderr);
  const { model, witness } = witnessed(
    await loadModel({ modelFile: pocketFile, threads: 1, slots: 4, contextTokens: 512, gpu: 'off', logger }),
  );
  const loop = createStepLoop({ model, maxWaiting: 16, logger });
  const { tokenizer } = model;
  const server = createEngineServer({
    model,
    loop,
    logger,
    profiles: pocketProfiles,
    template: createChatTemplate(model.chatTemplate, tokenizer),
    tokenTable: () => createTokenTable(tokenizer.ordinaryBytes()),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
      method: 'POST',
      body: JSON.stringify({ model: 'beta-4-scout', ...body }),
    });
    assert.equal(answer.status, 200);
    return answer.json();
  };
  try {
    const embed = (): Promise<unknown> =>
      post('embeddings', { input: ['a fox', 'a goose', 'the sea', 'a lighthouse by the sea'] });
    const alone = await embed();
    const write = (prompt: string): Promise<unknown> =>
      post('completions', { prompt, max_tokens: 40, ignore_eos: true });
    const [first, second] = await Promise.all([embed(), embed(), write('One'), write('Two'), write('Three')]);
    assert.deepEqual([first, second], [alone, alone]);
    assert.equal(witness.mostAtOnce, 1);
    assert.ok(witness.switches > 4, `embeddings and steps took turns ${witness.switches} times`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await loop.close();
    await model.close();
  }
});

/** The same model, with somebody who counts how many computations run at once and how often they change. */
function witnessed(model: LoadedModel) {
  const witness = { atOnce: 0, mostAtOnce: 0, switches: 0, last: '' };
  const watch = async <Value>(kind: string, work: () => Promise<Value>): Promise<Value> => {
    if (witness.last !== kind) witness.switches += 1;
    witness.last = kind;
    witness.atOnce += 1;
    witness.mostAtOnce = Math.max(witness.mostAtOnce, witness.atOnce);
    try {
      return await work();
    } finally {
      witness.atOnce -= 1;
    }
  };
  const { context } = model.bindings;
  const watchedContext = new Proxy(context, {
    get: (target, name) => {
      if (name === 'decodeBatch') return () => watch('step', () => target.decodeBatch());
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    witness,
    model: {
      ...model,
      bindings: { ...model.bindings, context: watchedContext },
      embed: (tokens: readonly number[]) => watch('embedding', () => model.embed(tokens)),
    },
  };
}
