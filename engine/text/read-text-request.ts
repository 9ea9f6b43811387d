import { Refusal } from '#vocabulary/refusal';
import type { JsonObject } from '../json-object.ts';
import { readShape } from '../chat/read-shape.ts';
import type { AnswerShape } from '../chat/read-shape.ts';
import type { EngineProfile } from '../engine-profile.ts';
import { readBoolean, readInteger, readString, wrong } from '../wire/read-field.ts';
import { readGeneration } from '../wire/read-generation.ts';
import type { GenerationRequest } from '../wire/read-generation.ts';

export interface TextRequest extends GenerationRequest {
  readonly prompts: readonly (string | readonly unknown[])[];
  /** Begins texts with the token that every prompt of this model begins with. */
  readonly addsSpecial: boolean;
  readonly maxTokens: number;
  readonly alternatives: number | undefined;
  readonly echoesPrompt: boolean;
  readonly shape: AnswerShape | undefined;
}

/** OpenAI's default; people who want more say so. */
const defaultMaxTokens = 16;
const mostPrompts = 64;

export function readTextRequest(
  body: JsonObject,
  profile: EngineProfile,
  vocabularySize: number,
): TextRequest {
  const suffix = readString(body, 'suffix');
  if (suffix !== undefined && suffix !== '') {
    throw new Refusal(
      'unsupported_parameter',
      'This engine does not fill in before a "suffix". Leave it out.',
      {
        param: 'suffix',
      },
    );
  }
  const generation = readGeneration(body, profile, vocabularySize);
  const bestOf = readInteger(body, 'best_of', { min: 1 });
  if (bestOf !== undefined && bestOf !== generation.choiceCount) {
    throw wrong('best_of', 'This engine returns every text it writes: "best_of" must equal "n".');
  }
  const echoesPrompt = readBoolean(body, 'echo') ?? false;
  if (generation.maxTokens === 0 && !echoesPrompt) {
    throw wrong('max_tokens', '"max_tokens" may be 0 only together with "echo": true.');
  }
  return {
    ...generation,
    maxTokens: generation.maxTokens ?? defaultMaxTokens,
    prompts: readPrompts(body['prompt'] ?? undefined),
    addsSpecial: readBoolean(body, 'add_special_tokens') ?? true,
    alternatives: readInteger(body, 'logprobs', { min: 0, max: 20 }),
    echoesPrompt,
    shape: readShape(body),
  };
}

/** Each a text, or token ids as they were sent. */
function readPrompts(prompt: unknown): readonly (string | readonly unknown[])[] {
  const isList = Array.isArray(prompt) && !prompt.every((item) => typeof item === 'number');
  const items: readonly unknown[] = isList ? prompt : [prompt];
  if (items.length === 0 || items.length > mostPrompts) {
    throw wrong('prompt', `"prompt" must hold 1 to ${mostPrompts} prompts.`);
  }
  return items.map((item) => {
    if (typeof item !== 'string' && !Array.isArray(item))
      throw wrong('prompt', '"prompt" must be a string, an array of strings or arrays of token ids.');
    if (item.length === 0) throw wrong('prompt', '"prompt" is empty. Send the text to continue.');
    return item as string | readonly unknown[];
  });
}
