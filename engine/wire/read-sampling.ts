import { randomInt } from 'node:crypto';
import { isObject, type JsonObject } from '../json-object.ts';
import type { EngineProfile } from '../engine-profile.ts';
import type { SamplingParameters } from '../sampling/sampling-parameters.ts';
import { readInteger, readNumber, wrong } from './read-field.ts';

/** The request's sampling parameters, then the profile's, then OpenAI's defaults. */
export function readSampling(
  body: JsonObject,
  profile: EngineProfile,
  vocabularySize: number,
): SamplingParameters {
  const usual = profile.samplingDefaults;
  const topK = readInteger(body, 'top_k', { min: -1 }) ?? usual['top_k'] ?? 0;
  return {
    temperature: readNumber(body, 'temperature', { min: 0, max: 2 }) ?? usual['temperature'] ?? 1,
    topK: Math.max(0, topK),
    topP: readNumber(body, 'top_p', { min: 0, max: 1, isMinExcluded: true }) ?? usual['top_p'] ?? 1,
    minP: readNumber(body, 'min_p', { min: 0, max: 1 }) ?? usual['min_p'] ?? 0,
    seed: foldSeed(readInteger(body, 'seed') ?? randomInt(0, 2 ** 32)),
    presencePenalty: readPenalty(body, 'presence_penalty') ?? usual['presence_penalty'] ?? 0,
    frequencyPenalty: readPenalty(body, 'frequency_penalty') ?? usual['frequency_penalty'] ?? 0,
    repetitionPenalty:
      readNumber(body, 'repetition_penalty', { min: 0, isMinExcluded: true }) ??
      usual['repetition_penalty'] ??
      1,
    logitBias: readLogitBias(body['logit_bias'] ?? undefined, vocabularySize),
  };
}

function readPenalty(body: JsonObject, name: string): number | undefined {
  return readNumber(body, name, { min: -2, max: 2 });
}

/** Seeds are 64 bits on the wire and 32 inside; both halves count. */
function foldSeed(seed: number): number {
  return (Math.trunc(Math.abs(seed) / 2 ** 32) ^ (seed | 0)) >>> 0;
}

function readLogitBias(value: unknown, vocabularySize: number): ReadonlyMap<number, number> {
  const biases = new Map<number, number>();
  if (value === undefined) return biases;
  if (!isObject(value)) throw wrong('logit_bias', '"logit_bias" must be an object of token ids and numbers.');
  for (const [key, bias] of Object.entries(value)) {
    const token = Number(key);
    if (!Number.isInteger(token) || token < 0 || token >= vocabularySize) {
      throw wrong(
        'logit_bias',
        `"logit_bias" names the token ${key}; ids go from 0 to ${vocabularySize - 1}.`,
      );
    }
    if (typeof bias !== 'number' || !(bias >= -100 && bias <= 100)) {
      throw wrong('logit_bias', `The bias of token ${key} must be a number from -100 to 100.`);
    }
    // At the ends of the range OpenAI bans a token or allows nothing else.
    biases.set(token, bias === -100 ? -Infinity : bias);
  }
  return biases;
}
