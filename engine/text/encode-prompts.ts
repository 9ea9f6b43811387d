import type { Tokenizer } from '../native/tokenizer.ts';
import { encodeInput } from '../wire/encode-input.ts';
import type { TextRequest } from './read-text-request.ts';

/** One after the other: many long prompts cost nobody else more than one does. */
export async function encodePrompts(
  request: TextRequest,
  tokenizer: Tokenizer,
  contextTokens: number,
): Promise<readonly (readonly number[])[]> {
  const prompts: (readonly number[])[] = [];
  for (const prompt of request.prompts)
    prompts.push(
      await encodeInput(prompt, tokenizer, {
        param: 'prompt',
        contextTokens,
        parsesSpecial: true,
        addsBegin: request.addsSpecial,
      }),
    );
  return prompts;
}
