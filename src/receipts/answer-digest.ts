import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { endOfString, startOfString } from '#dialects/frame-strings';
import { isObject } from '#dialects/json-object';
import { forEachFrame, frameData } from '#dialects/sse';
import type { ParsedRequest, Outcome } from '#vocabulary/inference';
import type { DigestOf } from '#vocabulary/receipts';
import { TextDigest } from './text-digest.ts';

const contentKey = Buffer.from('"content"');
const textKey = Buffer.from('"text"');
const callsKey = Buffer.from('"tool_calls":[{');
const anyCallsKey = Buffer.from('"tool_calls"');
const noCalls = /^ *: *(?:\[ *\]|null)/;
const quoteMark = 0x22;
const backslash = 0x5c;

/** No model calls more at once, and none writes longer arguments than are worth keeping. */
const maxCalls = 128;
const maxCallCharacters = 1024 * 1024;

/** The digest of what an answer says, read in passing: its first choice, and the calls it makes. */
export class AnswerDigest {
  readonly #key: Buffer;
  readonly #isStream: boolean;
  readonly #hasOneChoice: boolean;
  readonly #text = new TextDigest();
  readonly #calls: { name: string; argumentsText: string }[] = [];
  #callCharacters = 0;

  constructor({ endpoint, sequences, wantsStream }: ParsedRequest) {
    this.#key = endpoint === 'completions' ? textKey : contentKey;
    this.#isStream = wantsStream;
    this.#hasOneChoice = sequences === 1;
  }

  /** Whole frames. */
  add(frames: Buffer): void {
    if (!this.#hasOneChoice || frames.includes(callsKey)) {
      forEachFrame(frames, (frame) => this.#addChoice(parse(frameData(frame) ?? ''), 'delta'));
      return;
    }
    let start = startOfString(frames, this.#key);
    while (start >= 0) {
      const end = endOfString(frames, start);
      this.#text.addEscaped(frames, start, end);
      start = startOfString(frames, this.#key, end);
    }
  }

  /** A frame of the only choice, of which somebody knows where its words are; there may be none. */
  addWords(frame: Buffer, start: number, end: number): void {
    if (end > start) this.#text.addEscaped(frame, start, end);
  }

  /** Called once, with what the caller has still to get. */
  read(heldBack: Outcome['heldBack'] = []): { answer: DigestOf; toolCalls: DigestOf | undefined } {
    const plain = this.#isStream || heldBack.length !== 1 ? undefined : this.#plainText(heldBack[0]);
    if (plain !== undefined)
      return { answer: { sha256: hash('sha256', plain), bytes: plain.length }, toolCalls: undefined };
    for (const bytes of heldBack) {
      if (this.#isStream) this.add(bytes);
      else this.#addChoice(parse(bytes.toString('utf8')), 'message');
    }
    return { answer: this.#text.read(), toolCalls: this.#digestCalls() };
  }

  /** The text of an answer that has one and says nothing else, as it stands there; undefined: it has to be parsed. */
  #plainText(bytes: Buffer | undefined): Buffer | undefined {
    if (bytes === undefined || !this.#hasOneChoice || mayCall(bytes)) return undefined;
    const at = bytes.indexOf(this.#key);
    const start = at < 0 ? -1 : startOfString(bytes, this.#key, at);
    if (start < 0) return undefined;
    const text = bytes.subarray(start, bytes.indexOf(quoteMark, start));
    const isOnlyOne = start - at < this.#key.length + 8 && bytes.indexOf(this.#key, start + text.length) < 0;
    return isOnlyOne && !text.includes(backslash) && isUtf8(text) ? text : undefined;
  }

  #addChoice(value: unknown, part: 'delta' | 'message'): void {
    const choices = isObject(value) && Array.isArray(value['choices']) ? (value['choices'] as unknown[]) : [];
    for (const choice of choices) {
      if (!isObject(choice) || (choice['index'] ?? 0) !== 0) continue;
      const said = isObject(choice[part]) ? choice[part] : {};
      const text = choice['text'] ?? said['content'];
      if (typeof text === 'string') this.#text.addText(text);
      if (Array.isArray(said['tool_calls'])) said['tool_calls'].forEach(this.#addCall);
    }
  }

  readonly #addCall = (piece: unknown, position: number): void => {
    if (!isObject(piece)) return;
    const index = typeof piece['index'] === 'number' ? piece['index'] : position;
    if (!Number.isInteger(index) || index < 0 || index >= maxCalls) return;
    const called = isObject(piece['function']) ? piece['function'] : {};
    while (this.#calls.length <= index) this.#calls.push({ name: '', argumentsText: '' });
    const call = this.#calls[index];
    if (call === undefined || this.#callCharacters > maxCallCharacters) return;
    if (typeof called['name'] === 'string') call.name = called['name'];
    if (typeof called['arguments'] !== 'string') return;
    call.argumentsText += called['arguments'];
    this.#callCharacters += called['arguments'].length;
  };

  /** Name and arguments of each call, in their order, a line end behind each of the two. */
  #digestCalls(): DigestOf | undefined {
    if (this.#calls.length === 0) return undefined;
    const digest = new TextDigest();
    for (const { name, argumentsText } of this.#calls) digest.addText(`${name}\n${argumentsText}\n`);
    return digest.read();
  }
}

function mayCall(bytes: Buffer): boolean {
  const at = bytes.indexOf(anyCallsKey);
  if (at < 0) return false;
  const behind = at + anyCallsKey.length;
  return (
    !noCalls.test(bytes.toString('latin1', behind, behind + 16)) || bytes.indexOf(anyCallsKey, behind) >= 0
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
