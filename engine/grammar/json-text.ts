import type { Expression } from './expression.ts';
import { byteRange, bytes, choiceOf, optional, repeatOf, sequenceOf } from './expression.ts';
import { wellFormedSequences } from './plain-text.ts';
import { textOf } from './text-automaton.ts';

/** How JSON is spelled: a space after `:` and `,` is the writer's choice, and there is no other whitespace. */
export interface JsonText {
  readonly colon: Expression;
  readonly comma: Expression;
  readonly quote: Expression;
  /** Exactly one character of a string, plain or escaped. */
  readonly character: Expression;
}

export function createJsonText(options: { readonly allowSpaces: boolean }): JsonText {
  const separator = (text: string) =>
    options.allowSpaces ? sequenceOf([textOf(text), optional(textOf(' '))]) : textOf(text);
  return { colon: separator(':'), comma: separator(','), quote: textOf('"'), character: jsonCharacter() };
}

export function freeString(json: JsonText, minLength: number, maxLength: number): Expression {
  return sequenceOf([json.quote, repeatOf(json.character, minLength, maxLength), json.quote]);
}

/** Plain characters, the short escapes, and \u escapes in which surrogates come in pairs only. */
function jsonCharacter(): Expression {
  const plain = new Uint8Array(256).fill(1, 0x20, 0x80);
  plain[0x22] = 0;
  plain[0x5c] = 0;
  const hex = oneOf('0123456789abcdefABCDEF');
  const escaped = [
    oneOf('"\\/bfnrt'),
    sequenceOf([textOf('u'), oneOf('0123456789abcefABCEF'), hex, hex, hex]),
    sequenceOf([textOf('u'), oneOf('dD'), oneOf('01234567'), hex, hex]),
    sequenceOf([
      textOf('u'),
      oneOf('dD'),
      oneOf('89abAB'),
      hex,
      hex,
      textOf('\\u'),
      oneOf('dD'),
      oneOf('cdefCDEF'),
      hex,
      hex,
    ]),
  ];
  return choiceOf([
    bytes(plain),
    ...wellFormedSequences.map((ranges) => sequenceOf(ranges.map(([from, to]) => byteRange(from, to)))),
    sequenceOf([textOf('\\'), choiceOf(escaped)]),
  ]);
}

function oneOf(characters: string): Expression {
  const accepts = new Uint8Array(256);
  for (const character of characters) accepts[character.charCodeAt(0)] = 1;
  return bytes(accepts);
}
