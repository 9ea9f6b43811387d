import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadedModel } from '../native/loaded-model.ts';
import { startPocketServer } from './pocket-server.ts';

test('embeddings are computed between steps, never beside one, and streams go on', async () => {
  const witness = createWitness();
  await using server = await startPocketServer({ watch: (model) => watched(model, witness) });
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${server.url}/${path}`, {
      method: 'POST',
      body: JSON.stringify({ model: 'beta-4-scout', ...body }),
    });
    assert.equal(answer.status, 200);
    return answer.json();
  };
  const embed = (): Promise<unknown> =>
    post('embeddings', { input: ['a fox', 'a goose', 'the sea', 'a lighthouse by the sea'] });
  const write = (prompt: string): Promise<unknown> =>
    post('completions', { prompt, max_tokens: 40, ignore_eos: true });
  const alone = await embed();
  const [first, second] = await Promise.all([embed(), embed(), write('One'), write('Two'), write('Three')]);
  assert.deepEqual([first, second], [alone, alone]);
  assert.equal(witness.mostAtOnce(), 1);
  assert.ok(witness.turns() > 4, `embeddings and steps took turns ${witness.turns()} times`);
});

/** Counts how many computations run at once, and how often another kind has its turn. */
function createWitness() {
  let atOnce = 0;
  let mostAtOnce = 0;
  let turns = 0;
  let last = '';
  return {
    mostAtOnce: () => mostAtOnce,
    turns: () => turns,
    watch: async <Value>(kind: string, work: () => Promise<Value>): Promise<Value> => {
      if (last !== kind) turns += 1;
      last = kind;
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      try {
        return await work();
      } finally {
        atOnce -= 1;
      }
    },
  };
}

function watched(model: LoadedModel, { watch }: ReturnType<typeof createWitness>): LoadedModel {
  const context = new Proxy(model.bindings.context, {
    get: (target, name) => {
      if (name === 'decodeBatch') return () => watch('step', () => target.decodeBatch());
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    ...model,
    bindings: { ...model.bindings, context },
    embed: (tokens) => watch('embedding', () => model.embed(tokens)),
  };
}
