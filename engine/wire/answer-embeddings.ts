import type { JsonObject } from '../json-object.ts';
import type { EngineProfile } from '../engine-profile.ts';
import type { LoadedModel } from '../native/loaded-model.ts';
import type { StepLoop } from '../scheduler/step-loop.ts';
import { fitIntoContext } from './context-limit.ts';
import { encodeInput } from './encode-input.ts';
import type { EngineReply } from './engine-reply.ts';
import { readBoolean, readInteger, wrong } from './read-field.ts';

const mostInputs = 256;

/** One unit vector per input, in order; the reader who leaves stops the rest. */
export async function answerEmbeddings(
  body: JsonObject,
  profile: EngineProfile,
  { model, loop }: { readonly model: LoadedModel; readonly loop: StepLoop },
  reply: EngineReply,
): Promise<void> {
  if (readBoolean(body, 'stream') === true)
    throw wrong('stream', 'Embeddings are answered at once and whole: leave "stream" out.');
  const format = body['encoding_format'] ?? 'float';
  if (format !== 'float' && format !== 'base64') {
    throw wrong('encoding_format', '"encoding_format" must be float or base64.');
  }
  const { contextTokens } = model.facts;
  const rules = { param: 'input', contextTokens, parsesSpecial: false, addsBegin: false };
  const inputs: (readonly number[])[] = [];
  for (const input of readInputs(body['input'] ?? undefined)) {
    const tokens = await encodeInput(input, model.tokenizer, rules);
    fitIntoContext(tokens.length, 0, contextTokens, 'input');
    inputs.push(tokens);
  }
  let hasLeft = false;
  reply.onDeparture(() => {
    hasLeft = true;
  });

  const data: unknown[] = [];
  for (const [index, tokens] of inputs.entries()) {
    if (hasLeft) return;
    const vector = normalise(await loop.betweenSteps(() => model.embed(tokens)));
    const dimensions = readInteger(body, 'dimensions', { min: 1 });
    if (dimensions !== undefined && dimensions !== vector.length) {
      throw wrong(
        'dimensions',
        `This model's vectors have ${vector.length} dimensions; leave "dimensions" out.`,
      );
    }
    data.push({
      object: 'embedding',
      index,
      embedding:
        format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector,
    });
  }
  const tokens = inputs.reduce((total, input) => total + input.length, 0);
  reply.json(200, {
    object: 'list',
    data,
    model: profile.id,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

function readInputs(input: unknown): readonly (string | readonly unknown[])[] {
  const isList = Array.isArray(input) && !input.every((item) => typeof item === 'number');
  const items: readonly unknown[] = isList ? input : [input];
  if (items.length > mostInputs) throw wrong('input', `"input" may hold at most ${mostInputs} texts.`);
  return items.map((item) => {
    if ((typeof item !== 'string' && !Array.isArray(item)) || item.length === 0)
      throw wrong('input', '"input" must be a text, token ids, or an array of these, not empty.');
    return item as string | readonly unknown[];
  });
}

function normalise(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
