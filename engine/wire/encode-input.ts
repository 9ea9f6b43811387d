import type { Tokenizer } from '../native/tokenizer.ts';
import { refuseIfHopeless, stopWhenHopeless } from './context-limit.ts';
import { wrong } from './read-field.ts';

export interface InputRules {
  /** The name of the parameter. */
  readonly param: string;
  readonly contextTokens: number;
  /** Whether texts of control tokens become control tokens. */
  readonly parsesSpecial: boolean;
  /** Begins with the token that every prompt of this model begins with. */
  readonly addsBegin: boolean;
}

/** The tokens of a text, or of token ids that a caller sent. What can never fit is refused before any work. */
export async function encodeInput(
  input: string | readonly unknown[],
  tokenizer: Tokenizer,
  { param, contextTokens, parsesSpecial, addsBegin }: InputRules,
): Promise<readonly number[]> {
  if (typeof input !== 'string') {
    refuseIfHopeless(input.length, contextTokens, param);
    return readTokens(input, tokenizer.vocabularySize, param);
  }
  refuseIfHopeless(Math.ceil(Buffer.byteLength(input) / tokenizer.longestTokenBytes), contextTokens, param);
  const tokens = await tokenizer.encodePatiently(
    [{ text: input, parsesSpecial }],
    stopWhenHopeless(contextTokens, param),
  );
  const begin = addsBegin ? tokenizer.beginToken : undefined;
  return begin === undefined || tokens[0] === begin ? tokens : [begin, ...tokens];
}

export function readTokens(
  tokens: readonly unknown[],
  vocabularySize: number,
  param: string,
): readonly number[] {
  return tokens.map((token) => {
    if (typeof token !== 'number' || !Number.isInteger(token) || token < 0 || token >= vocabularySize)
      throw wrong(param, `Token ids in "${param}" must be from 0 to ${vocabularySize - 1}.`);
    return token;
  });
}
