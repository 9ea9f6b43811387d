import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadedModel } from '../native/loaded-model.ts';
import type { NativeBindings } from '../native/native-bindings.ts';
import { startPocketServer } from './pocket-server.ts';

/** Requests with this temperature, or with this word in the prompt, go wrong in the way that is set. */
const poisonedTemperature = 1.375;
const poisonedWord = ' zebra';

type Fault = 'batch' | 'step' | 'every step' | 'sampler' | 'choice' | 'sampler back' | 'copy';

test('whatever fails natively ends the sequence it belongs to, and no other', async () => {
  let fault: Fault | undefined;
  await using server = await startPocketServer({ watch: (model) => failing(model, () => fault) });
  const write = async (body: object): Promise<{ status: number; text: string | undefined }> => {
    const answer = await fetch(`${server.url}/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'beta-4-scout',
        temperature: 0,
        max_tokens: 40,
        ignore_eos: true,
        ...body,
      }),
    });
    const { choices } = (await answer.json()) as { choices?: { text: string }[] };
    return { status: answer.status, text: choices?.[0]?.text };
  };
  const tales = ['Once upon a time', 'The sea was calm and', 'In the old house by the mill'];
  const alone = [];
  for (const prompt of tales) alone.push(await write({ prompt }));
  assert.ok(alone.every(({ status }) => status === 200));

  const faults: readonly [Fault, object][] = [
    ['batch', { prompt: `A${poisonedWord}` }],
    ['step', { prompt: `A${poisonedWord}` }],
    ['sampler', { prompt: 'A horse', temperature: poisonedTemperature }],
    ['choice', { prompt: 'A horse', temperature: poisonedTemperature }],
  ];
  for (const [kind, poison] of faults) {
    fault = kind;
    const [bad, ...good] = await Promise.all([write(poison), ...tales.map((prompt) => write({ prompt }))]);
    assert.ok((bad?.status ?? 0) >= 500, `${kind}: ${bad?.status}`);
    assert.deepEqual(good, alone, kind);
  }
  fault = 'sampler back';
  assert.equal((await write({ prompt: 'A horse', temperature: poisonedTemperature })).status, 200);
  fault = 'copy';
  const long =
    'It was a long road, and nobody knew where it would lead them in the end, but they went on and on.';
  const [first, second] = await Promise.all([write({ prompt: long }), write({ prompt: `${long} So` })]);
  assert.ok([first.status, second.status].every((status) => status === 200 || status === 500));
  fault = undefined;
  for (const [index, prompt] of tales.entries()) assert.deepEqual(await write({ prompt }), alone[index]);
});

test('an engine in which no step succeeds tells everybody and asks for a new process', async () => {
  const broken = Promise.withResolvers<Error>();
  let fault: Fault | undefined;
  await using server = await startPocketServer({
    watch: (model) => failing(model, () => fault),
    onBroken: broken.resolve,
  });
  fault = 'every step';
  const answers = await Promise.all(
    ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map(async (prompt) => {
      const body = JSON.stringify({ model: 'beta-4-scout', prompt });
      const answer = await fetch(`${server.url}/completions`, { method: 'POST', body });
      return ((await answer.json()) as { error: { code: string } }).error.code;
    }),
  );
  assert.deepEqual(new Set(answers), new Set(['engine_failed']));
  assert.match((await broken.promise).message, /every step/);
});

function failing(model: LoadedModel, currentFault: () => Fault | undefined): LoadedModel {
  const { context, samplers } = model.bindings;
  const poison = new Set(model.tokenizer.encode(poisonedWord, false));
  const poisonedSamplers = new WeakSet<object>();
  let isBatchPoisoned = false;
  const throwIf = (kind: Fault, isMeant = true): void => {
    if (isMeant && currentFault() === kind) throw new Error(`fault: ${kind}`);
  };
  const overrides: Partial<NativeBindings['context']> = {
    initBatch: (tokenCount) => {
      isBatchPoisoned = false;
      context.initBatch(tokenCount);
    },
    addToBatch: (id, position, tokens, wanted) => {
      const isPoisoned = tokens.some((token) => poison.has(token));
      throwIf('batch', isPoisoned);
      isBatchPoisoned ||= isPoisoned;
      return context.addToBatch(id, position, tokens, wanted);
    },
    decodeBatch: async () => {
      throwIf('every step');
      throwIf('step', isBatchPoisoned);
      await context.decodeBatch();
    },
    copySequenceStateFromOtherSequence: (target, source) => {
      throwIf('copy');
      return context.copySequenceStateFromOtherSequence(target, source);
    },
  };
  return {
    ...model,
    bindings: {
      ...model.bindings,
      context: new Proxy(context, {
        get: (target, name) => {
          const value: unknown = Reflect.get(overrides, name) ?? Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]): unknown => {
            if (name === 'sampleToken') throwIf('choice', poisonedSamplers.has(given[1] as object));
            return Reflect.apply(value, target, given);
          };
        },
      }),
      samplers: {
        take: (config) => {
          throwIf('sampler', config.temperature === poisonedTemperature);
          const sampler = samplers.take(config);
          if (config.temperature === poisonedTemperature) poisonedSamplers.add(sampler);
          else poisonedSamplers.delete(sampler);
          return sampler;
        },
        giveBack: (sampler) => {
          throwIf('sampler back', poisonedSamplers.has(sampler));
          samplers.giveBack(sampler);
        },
      },
    },
  };
}
