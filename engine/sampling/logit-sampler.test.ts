import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseCandidate } from './logit-sampler.ts';
import type { SequenceHistory } from './logit-sampler.ts';
import { createRandom } from './random.ts';
import { greedy, type SamplingParameters } from './sampling-parameters.ts';

const plain: SamplingParameters = { ...greedy, temperature: 1 };
/** In twentieths. */
const candidates = [10, 5, 3, 2].map((weight, token) => ({ token, logit: Math.log(weight) }));
const nothing: SequenceHistory = { promptTokens: [], outputTokens: [] };

/** How often each token is chosen, to the nearest twentieth. */
function shares(parameters: Partial<SamplingParameters>): number[] {
  const random = createRandom(1);
  const counts = [0, 0, 0, 0];
  for (let round = 0; round < 8000; round += 1) {
    const token = chooseCandidate(candidates, { ...plain, ...parameters }, nothing, random);
    counts[token] = (counts[token] ?? 0) + 1;
  }
  return counts.map((count) => Math.round((count / 8000) * 20));
}

test('tokens come as often as they should', () => {
  assert.deepEqual(shares({}), [10, 5, 3, 2]);
  assert.deepEqual(shares({ temperature: 0 }), [20, 0, 0, 0]);
  assert.deepEqual(shares({ topK: 2 }), [13, 7, 0, 0]);
  assert.deepEqual(shares({ topP: 0.7 }), [13, 7, 0, 0]);
  assert.deepEqual(shares({ minP: 0.4 }), [13, 7, 0, 0]);
  assert.deepEqual(shares({ logitBias: new Map([[3, 100]]) }), [0, 0, 0, 20]);
  assert.equal(shares({ logitBias: new Map([[0, -Infinity]]) })[0], 0);
});

test('penalties count as OpenAI says', () => {
  const best = (parameters: Partial<SamplingParameters>, history: SequenceHistory): number =>
    chooseCandidate(candidates, { ...plain, temperature: 0, ...parameters }, history, () => 0);
  const read: SequenceHistory = { promptTokens: [0], outputTokens: [] };
  const written: SequenceHistory = { promptTokens: [], outputTokens: [0, 0] };
  assert.equal(best({ frequencyPenalty: 0.5 }, read), 0, 'the prompt does not count');
  assert.equal(best({ frequencyPenalty: 0.5 }, written), 1, 'twice half is enough');
  assert.equal(best({ presencePenalty: 0.5 }, written), 0, 'once half is not');
  assert.equal(best({ repetitionPenalty: 2 }, read), 1, 'the prompt counts');
});
