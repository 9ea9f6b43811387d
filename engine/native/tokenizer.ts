import { callMarkers } from '../output/tool-call-formats.ts';
import type { NativeModel } from './native-bindings.ts';
import { createPatientEncoder } from './patient-encoder.ts';
import type { PatientEncoder } from './patient-encoder.ts';

/** Text to tokens and back, byte by byte: no character is ever lost between two tokens. */
export interface Tokenizer {
  readonly vocabularySize: number;
  /** The token every prompt must begin with, for models that want one. */
  readonly beginToken: number | undefined;
  readonly beginText: string;
  readonly endText: string;
  /** Finds the texts that become control tokens when `parseSpecial` is on. */
  readonly special: RegExp | undefined;
  /** No token is longer, so that a text of n times as many bytes has at least n tokens. */
  readonly longestTokenBytes: number;
  /** For short texts of ours. */
  encode(text: string, parseSpecial: boolean): number[];
  /** For what callers send. */
  readonly encodePatiently: PatientEncoder['encode'];
  /** What the token adds to the answer: nothing for control tokens. */
  bytesOf(token: number): Uint8Array;
  /** The token's text including control tokens, for people and log probabilities. */
  nameOf(token: number): string;
  decode(tokens: readonly number[]): string;
  isEnd(token: number): boolean;
  /** The token that alone spells this text, if there is one. */
  tokenOf(text: string): number | undefined;
  /** Bytes of every ordinary token, for constraints; undefined for control tokens and markers. */
  ordinaryBytes(): readonly (Uint8Array | undefined)[];
}

/** Always visible to the output parser, also in models that mark them as control tokens. */
const structuralTexts = new Set(['<think>', '</think>', ...callMarkers]);

const attribute = { normal: 4, control: 8, userDefined: 16, byte: 32 };

export function createTokenizer(
  model: NativeModel,
  options: { readonly vocabularySize: number; readonly kind: string },
): Tokenizer {
  const { vocabularySize } = options;
  const spell = options.kind === 'gpt2' ? byteLevelBytes : sentencePieceBytes;
  const bytes: Uint8Array[] = [];
  const special = new Map<number, string>();
  for (let token = 0; token < vocabularySize; token += 1) {
    const text = model.getTokenString(token);
    const attributes = model.getTokenAttributes(token);
    const isControl = (attributes & attribute.control) !== 0;
    if (isControl || (attributes & attribute.userDefined) !== 0) {
      special.set(token, text);
      bytes.push(isControl && !structuralTexts.has(text) ? nothing : Buffer.from(text));
    } else {
      bytes.push(spell(text, (attributes & attribute.byte) !== 0));
    }
  }

  const specialTexts = [...special.values()];
  const specialPattern = anyOf(specialTexts.filter((text) => text.length > 1));
  const bytesOf = (token: number): Uint8Array => bytes[token] ?? nothing;
  const encode = (text: string, parseSpecial: boolean): Uint32Array =>
    text === '' ? new Uint32Array(0) : model.tokenize(text, parseSpecial);
  const begin = model.tokenBos();
  const end = model.tokenEos();
  return {
    vocabularySize,
    beginToken: model.shouldPrependBosToken() && begin >= 0 ? begin : undefined,
    beginText: begin >= 0 ? model.getTokenString(begin) : '',
    endText: end >= 0 ? model.getTokenString(end) : '',
    special: specialPattern,
    longestTokenBytes: [...bytes, ...specialTexts].reduce((most, one) => Math.max(most, byteLength(one)), 1),
    encode: (text, parseSpecial) => Array.from(encode(text, parseSpecial)),
    encodePatiently: createPatientEncoder({
      encode,
      special: specialPattern,
      isBareSpace: (token) => bytesOf(token).length === 1 && bytesOf(token)[0] === 0x20,
    }).encode,
    bytesOf,
    nameOf: (token) => {
      const spelled = bytesOf(token);
      return spelled.length === 0 ? model.getTokenString(token) : Buffer.from(spelled).toString('utf8');
    },
    decode: (tokens) => Buffer.concat(tokens.map(bytesOf)).toString('utf8'),
    isEnd: (token) => model.isEogToken(token),
    tokenOf: (text) => {
      const tokens = model.tokenize(text, true);
      return tokens.length === 1 ? tokens[0] : undefined;
    },
    ordinaryBytes: () => bytes.map((spelled, token) => (special.has(token) ? undefined : spelled)),
  };
}

const nothing = new Uint8Array(0);

function anyOf(texts: readonly string[]): RegExp | undefined {
  return texts.length === 0 ? undefined : new RegExp(texts.map(RegExp.escape).join('|'), 'g');
}

function byteLength(spelled: Uint8Array | string): number {
  return Buffer.byteLength(spelled);
}

/** Byte-level BPE writes each byte as one printable character; this is the way back. */
function byteLevelBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = byteOfCharacter.get(character);
    if (byte === undefined) bytes.push(...Buffer.from(character));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

const byteOfCharacter: ReadonlyMap<string, number> = (() => {
  const map = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte += 1) {
    const isPrintable =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
    map.set(String.fromCodePoint(isPrintable ? byte : next), byte);
    if (!isPrintable) next += 1;
  }
  return map;
})();

function sentencePieceBytes(text: string, isByte: boolean): Uint8Array {
  const hexadecimal = isByte ? /^<0x([0-9A-Fa-f]{2})>$/.exec(text)?.[1] : undefined;
  if (hexadecimal !== undefined) return Uint8Array.of(Number.parseInt(hexadecimal, 16));
  return Buffer.from(text.replaceAll('\u2581', ' '));
}
