import { isUtf8 } from 'node:buffer';
import { Refusal } from '#vocabulary/refusal';

/**
 * The outline of a JSON object, read without building it: where each top-level value begins and ends. A prompt of
 * 400 KB costs one pass over its bytes and no copies, and the engine receives exactly the bytes that were judged.
 *
 * Exact about structure, keys and whatever `read*` returns; the inside of nested values is only followed for
 * strings and brackets (the engine parses it in full). Duplicate keys, trailing bytes, bad UTF-8 and deep
 * nesting are refused, so that no two parsers can read two different requests out of one body.
 */
export interface Envelope {
  readonly body: Buffer;
  readonly fields: ReadonlyMap<string, EnvelopeField>;
}

export interface EnvelopeField {
  readonly kind: 'string' | 'number' | 'object' | 'array' | 'boolean' | 'null';
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Somewhere inside is a field whose name speaks of media, or is written with escapes and might. */
  readonly mayHoldMedia: boolean;
  /** Of a list or an object; 0 for anything else. */
  readonly entries: number;
}

export function readEnvelope(body: Buffer, maxDepth = 128, maxValues = Infinity): Envelope {
  if (!isUtf8(body))
    throw new Refusal('invalid_json', 'The request body is not valid JSON: it is not valid UTF-8.');
  const fields = new Map<string, EnvelopeField>();
  let valuesLeft = maxValues;
  let at = skipBlanks(body, 0);
  if (body[at] === firstOfByteOrderMark)
    throw malformed('it begins with a byte order mark; send UTF-8 without one', at);
  if (body[at] !== openBrace) throw malformed('the body must be a JSON object', at);
  at = skipBlanks(body, at + 1);
  if (body[at] === closeBrace) {
    at++;
  } else {
    for (;;) {
      const keyStart = at;
      if (body[at] !== quoteMark) throw malformed('a field name in double quotes is expected', at);
      at = skipString(body, at + 1);
      const name = decodeString(body, keyStart, at);
      at = skipBlanks(body, at);
      if (body[at] !== colonMark) throw malformed('a colon is expected after a field name', at);
      const valueStart = skipBlanks(body, at + 1);
      const kind = kindAt(body, valueStart);
      const inside: Inside = { mayBeMedia: false, valuesLeft, entries: 0 };
      const valueEnd = skipValue(body, valueStart, kind, maxDepth, inside);
      ({ valuesLeft } = inside);
      if (fields.has(name)) {
        const shown = JSON.stringify(name.slice(0, 64));
        throw new Refusal(
          'invalid_json',
          `The field ${shown} appears twice in the body. Send each field once.`,
          {
            param: name.slice(0, 64),
          },
        );
      }
      if (fields.size >= maxFields) throw malformed(`more than ${maxFields} top-level fields`, at);
      const { mayBeMedia, entries } = inside;
      fields.set(name, { kind, keyStart, valueStart, valueEnd, mayHoldMedia: mayBeMedia, entries });
      at = skipBlanks(body, valueEnd);
      const next = body[at];
      if (next === closeBrace) {
        at++;
        break;
      }
      if (next !== commaMark) throw malformed('a comma or closing brace is expected', at);
      at = skipBlanks(body, at + 1);
    }
  }
  at = skipBlanks(body, at);
  if (at !== body.length) throw malformed('there are bytes after the JSON object', at);
  return { body, fields };
}

/** The value of a string field; undefined when the field is absent or not a string. */
export function readString(envelope: Envelope, name: string): string | undefined {
  const field = envelope.fields.get(name);
  if (field === undefined || field.kind !== 'string') return undefined;
  return decodeString(envelope.body, field.valueStart, field.valueEnd);
}

/** The value of any field, parsed; undefined when absent. Meant for small values: it builds objects. */
export function readValue(envelope: Envelope, name: string): unknown {
  const field = envelope.fields.get(name);
  if (field === undefined) return undefined;
  try {
    return JSON.parse(envelope.body.toString('utf8', field.valueStart, field.valueEnd)) as unknown;
  } catch {
    throw new Refusal('invalid_json', `The value of "${name}" is not valid JSON.`, { param: name });
  }
}

/** JSON text to put in place of a field's value, or undefined to take the field out. */
export type EnvelopeEdits = ReadonlyMap<string, string | undefined>;

/** The body with a few fields changed, added or removed; every other byte of a field stays as it came. */
export function spliceEnvelope(envelope: Envelope, edits: EnvelopeEdits): Buffer {
  return edits.size === 0 ? envelope.body : Buffer.concat(spliceParts(envelope, edits));
}

/** The same in pieces, those that stay as they came without a copy: a large prompt is there once. */
export function spliceParts({ body, fields }: Envelope, edits: EnvelopeEdits): Buffer[] {
  if (edits.size === 0) return [body];
  const parts: Buffer[] = [];
  let unchanged: { readonly start: number; end: number } | undefined;
  /** What stands before the next piece that stays. */
  let text = '{';
  for (const [name, field] of fields) {
    if (!edits.has(name)) {
      if (unchanged === undefined) unchanged = { start: field.keyStart, end: field.valueEnd };
      else unchanged.end = field.valueEnd;
      continue;
    }
    keepUnchanged();
    add(name, edits.get(name));
  }
  keepUnchanged();
  for (const [name, value] of edits) if (!fields.has(name)) add(name, value);
  parts.push(Buffer.from(`${text}}`));
  return parts;

  function keepUnchanged(): void {
    if (unchanged === undefined) return;
    parts.push(text === '{' ? openBraceByte : Buffer.from(`${text},`));
    parts.push(body.subarray(unchanged.start, unchanged.end));
    unchanged = undefined;
    text = '';
  }

  function add(name: string, value: string | undefined): void {
    if (value !== undefined) text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${value}`;
  }
}

/** Fields that hold pictures, sound or the address of either. */
export const mediaName = /^(?:url|.*_url|audio|video|image)$/;

const maxFields = 256;
const firstOfByteOrderMark = 0xef;
const lastOfUrl = 0x6c;
const quoteMark = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colonMark = 0x3a;
const commaMark = 0x2c;
const openBraceByte = Buffer.from('{');
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function malformed(reason: string, at: number): Refusal {
  return new Refusal('invalid_json', `The request body is not valid JSON: ${reason} (at byte ${at}).`);
}

function skipBlanks(body: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte = body[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}

/** From behind the opening quote to behind the closing one. Steps over short strings, leaps over long ones. */
function skipString(body: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const near = Math.min(at + 64, body.length);
    while (at < near) {
      const byte = body[at];
      if (byte === quoteMark) return at + 1;
      at += byte === backslash ? 2 : 1;
    }
    const quote = body.indexOf(quoteMark, at);
    if (quote < 0) throw malformed('a string is not closed', from - 1);
    let before = quote - 1;
    while (before >= at && body[before] === backslash) before--;
    if (((quote - 1 - before) & 1) === 0) return quote + 1;
    at = quote + 1;
  }
}

function decodeString(body: Buffer, start: number, end: number): string {
  const text = body.toString('utf8', start + 1, end - 1);
  if (!needsParsing(text)) return text;
  try {
    return JSON.parse(body.toString('utf8', start, end)) as string;
  } catch {
    throw malformed('a string holds a bad escape or a control character', start);
  }
}

function needsParsing(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === backslash || code < 0x20) return true;
  }
  return false;
}

function kindAt(body: Buffer, at: number): EnvelopeField['kind'] {
  switch (body[at]) {
    case quoteMark:
      return 'string';
    case openBrace:
      return 'object';
    case openBracket:
      return 'array';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

/** What was noticed inside a value. */
interface Inside {
  /** Of the names of its fields. */
  mayBeMedia: boolean;
  /** How many values and brackets may still come. */
  valuesLeft: number;
  entries: number;
}

function skipValue(
  body: Buffer,
  at: number,
  kind: EnvelopeField['kind'],
  maxDepth: number,
  inside: Inside,
): number {
  switch (kind) {
    case 'string':
      return skipString(body, at + 1);
    case 'object':
    case 'array':
      return skipNested(body, at, maxDepth, inside);
    case 'boolean':
      return skipWord(body, at, body[at] === 0x74 ? 'true' : 'false');
    case 'null':
      return skipWord(body, at, 'null');
    case 'number':
      return skipNumber(body, at);
  }
}

function skipWord(body: Buffer, at: number, word: string): number {
  const end = at + word.length;
  if (body.toString('latin1', at, Math.min(end, body.length)) !== word)
    throw malformed('an unknown word', at);
  return end;
}

function skipNumber(body: Buffer, start: number): number {
  let at = start;
  while (at < body.length && isNumberByte(body[at])) at++;
  if (at - start > 64 || !numberForm.test(body.toString('latin1', start, at)))
    throw malformed('a value is expected', start);
  return at;
}

function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x65 ||
    byte === 0x45
  );
}

function skipNested(body: Buffer, start: number, maxDepth: number, inside: Inside): number {
  const closers: number[] = [];
  let { valuesLeft } = inside;
  let depth = 0;
  let commas = 0;
  let at = start;
  const { length } = body;
  while (at < length) {
    const byte = body[at];
    at++;
    if (byte === quoteMark) {
      const nameStart = at;
      const nameEnd = skipString(body, at);
      at = skipBlanks(body, nameEnd);
      if (body[at] !== colonMark) continue;
      at++;
      inside.mayBeMedia ||= mayNameMedia(body, nameStart, nameEnd - 1);
    } else if (byte === commaMark) {
      valuesLeft--;
      if (depth === 1) commas++;
      if (valuesLeft < 0) throw tooMany(at);
    } else if (byte === openBrace || byte === openBracket) {
      valuesLeft--;
      closers[depth++] = byte === openBrace ? closeBrace : closeBracket;
      if (depth > maxDepth) throw malformed(`values are nested deeper than ${maxDepth} levels`, at);
      if (valuesLeft < 0) throw tooMany(at);
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
      if (closers[depth] !== byte) throw malformed('a bracket does not match', at - 1);
      if (depth > 0) continue;
      inside.valuesLeft = valuesLeft;
      inside.entries = commas === 0 && skipBlanks(body, start + 1) === at - 1 ? 0 : commas + 1;
      return at;
    }
  }
  throw malformed('an object or array is not closed', start);
}

function tooMany(at: number): Refusal {
  return malformed('there are more values in it than this service reads', at);
}

/** Looks at a field name of which there may be thousands: the escape first, then length and last letter, then all. */
function mayNameMedia(body: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (body[at] === backslash) return true;
  const isPossible = end - start === 'image'.length || body[end - 1] === lastOfUrl;
  return isPossible && mediaName.test(body.toString('latin1', start, end));
}
