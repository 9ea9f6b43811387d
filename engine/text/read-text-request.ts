import { Refusal } from '#vocabulary/refusal';
import { readShape } from '../chat/read-shape.ts';
import type { AnswerShape } from '../chat/read-shape.ts';
import type { EngineProfile } from '../engine-profile.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import { readBoolean, readInteger, readString, wrong } from '../wire/read-field.ts';
import type { JsonObject } from '../wire/read-field.ts';
import { readGeneration } from '../wire/read-generation.ts';
import type { GenerationRequest } from '../wire/read-generation.ts';

export interface TextRequest extends GenerationRequest {
  readonly prompts: readonly TextPrompt[];
  readonly maxTokens: number;
  readonly alternatives: number | undefined;
  readonly echoesPrompt: boolean;
  readonly shape: AnswerShape | undefined;
}

export interface TextPrompt {
  readonly tokens: readonly number[];
}

/** OpenAI's default; people who want more say so. */
const defaultMaxTokens = 16;
const mostPrompts = 64;

export function readTextRequest(body: JsonObject, profile: EngineProfile, tokenizer: Tokenizer): TextRequest {
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
  const generation = readGeneration(body, profile, tokenizer.vocabularySize);
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
    prompts: readPrompts(body['prompt'] ?? undefined, body, tokenizer),
    alternatives: readInteger(body, 'logprobs', { min: 0, max: 20 }),
    echoesPrompt,
    shape: readShape(body),
  };
}

function readPrompts(prompt: unknown, body: JsonObject, tokenizer: Tokenizer): readonly TextPrompt[] {
  const addsSpecial = readBoolean(body, 'add_special_tokens') ?? true;
  const isList = Array.isArray(prompt) && !prompt.every((item) => typeof item === 'number');
  const items: readonly unknown[] = isList ? prompt : [prompt];
  if (items.length === 0 || items.length > mostPrompts) {
    throw wrong('prompt', `"prompt" must hold 1 to ${mostPrompts} prompts.`);
  }
  return items.map((item) => {
    const tokens = readPrompt(item, tokenizer, addsSpecial);
    if (tokens.length === 0) throw wrong('prompt', '"prompt" is empty. Send the text to continue.');
    return { tokens };
  });
}

function readPrompt(item: unknown, tokenizer: Tokenizer, addsSpecial: boolean): readonly number[] {
  if (typeof item === 'string') {
    const tokens = tokenizer.encode(item, true);
    const begin = addsSpecial ? tokenizer.beginToken : undefined;
    return begin === undefined || tokens[0] === begin ? tokens : [begin, ...tokens];
  }
  if (!Array.isArray(item)) {
    throw wrong('prompt', '"prompt" must be a string, an array of strings or arrays of token ids.');
  }
  return item.map((token: unknown) => {
    if (
      typeof token !== 'number' ||
      !Number.isInteger(token) ||
      token < 0 ||
      token >= tokenizer.vocabularySize
    ) {
      throw wrong('prompt', `Token ids in "prompt" must be from 0 to ${tokenizer.vocabularySize - 1}.`);
    }
    return token;
  });
}
