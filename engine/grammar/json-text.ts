import type { Expression } from './expression.ts';
import { optional, repeatOf, sequenceOf } from './expression.ts';
import { jsonCharacter } from './json-character.ts';
import { textOf } from './text-automaton.ts';

/** How JSON is spelled: a space after `:` and `,` is the writer's choice, and there is no other whitespace. */
export interface JsonText {
  readonly allowSpaces: boolean;
  readonly colon: Expression;
  readonly comma: Expression;
  readonly quote: Expression;
  /** Exactly one character of a string, plain or escaped. */
  readonly character: Expression;
}

export function createJsonText(options: { readonly allowSpaces: boolean }): JsonText {
  const separator = (text: string) =>
    options.allowSpaces ? sequenceOf([textOf(text), optional(textOf(' '))]) : textOf(text);
  return {
    allowSpaces: options.allowSpaces,
    colon: separator(':'),
    comma: separator(','),
    quote: textOf('"'),
    character: jsonCharacter,
  };
}

export function freeString(json: JsonText, minLength: number, maxLength: number): Expression {
  return sequenceOf([json.quote, repeatOf(json.character, minLength, maxLength), json.quote]);
}
