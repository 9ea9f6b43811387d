import { isObject } from '#dialects/json-object';
import { forEachFrame, frameData } from '#dialects/sse';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { ParsedRequest } from '#vocabulary/inference';
import type { MemoryShare } from '#vocabulary/memory-share';
import { GrowingText } from './growing-text.ts';
import { canBeContinued } from './continuable.ts';

/**
 * What an engine has written so far, kept in case that it dies. The words stay as they stand in the frames, with their
 * escapes: a frame costs a few searches over its bytes, and nothing is parsed before it is needed. A text of a model
 * cannot look like one of the keys, because its quotes are escaped.
 */
export class Transcript {
  readonly #before: BegunAnswer | undefined;
  readonly #text: GrowingText;
  readonly #thoughts: GrowingText;
  #firstFrame: Buffer | undefined;
  #frames = 0;
  #hasCalls = false;

  constructor(memory: MemoryShare, before: BegunAnswer | undefined) {
    this.#before = before?.isReplayed === true ? withBlanks(before) : before;
    this.#text = new GrowingText(memory);
    this.#thoughts = new GrowingText(memory);
  }

  add(frames: Buffer): void {
    forEachFrame(frames, (frame) => this.#addFrame(frame));
  }

  /** A frame like one that was added, of which somebody knows where its words are. */
  addWords(frame: Buffer, start: number, end: number, areSaid: boolean): void {
    (areSaid ? this.#text : this.#thoughts).appendWords(frame, start, end);
    if (end > start) this.#frames++;
  }

  /**
   * Undefined when nobody could go on from here: inside a call, or there was no room to keep it all. `isInline` says that
   * thoughts stand between tags inside the text.
   */
  read(isInline: boolean, lostEngine: string | undefined): BegunAnswer | undefined {
    const before = this.#before;
    const isReplayed = before?.isReplayed === true;
    if (this.#hasCalls || (this.#firstFrame === undefined && !isReplayed)) return undefined;
    const text = this.#text.read();
    const thoughts = this.#thoughts.read();
    if (text === undefined || thoughts === undefined) return undefined;
    const head = before?.head ?? headOf(this.#firstFrame);
    const outputTokens = (before?.outputTokens ?? 0) + this.#frames;
    const lostEngines = [...(before?.lostEngines ?? []), ...(lostEngine === undefined ? [] : [lostEngine])];
    const words = apart(before, thoughts, text, isInline);
    const share = words.thoughts.length / Math.max(1, words.thoughts.length + words.text.length);
    const reasoningTokens = Math.round(outputTokens * share);
    const lostGateways = before?.lostGateways ?? 0;
    const seen =
      before === undefined || isReplayed
        ? { thoughts: (before?.seen?.thoughts ?? '') + thoughts, text: (before?.seen?.text ?? '') + text }
        : undefined;
    const counted = { outputTokens, reasoningTokens };
    return { ...words, ...counted, seen, isReplayed: false, head, lostEngines, lostGateways };
  }

  close(): void {
    this.#text.close();
    this.#thoughts.close();
  }

  #addFrame(frame: Buffer): void {
    this.#firstFrame ??= frame.includes('"choices"') ? Buffer.from(frame) : undefined;
    this.#hasCalls ||= hasCalls(frame);
    const hasText = this.#text.append(frame, 'content') || this.#text.append(frame, 'text');
    const hasThoughts =
      this.#thoughts.append(frame, 'reasoning') || this.#thoughts.append(frame, 'reasoning_content');
    if (hasText || hasThoughts) this.#frames++;
  }
}

/**
 * The same out of the frames that a caller has got from a gateway that died. Undefined when nobody could go on with such
 * an answer.
 */
export function readBegun(
  request: ParsedRequest,
  frames: readonly Buffer[],
  lostGateways: number,
): BegunAnswer | undefined {
  if (!canBeContinued(request)) return undefined;
  const transcript = new Transcript(request.exchange.memory, undefined);
  for (const frame of frames) transcript.add(frame);
  const begun = transcript.read(request.reasoning === 'think-tags', undefined);
  transcript.close();
  return begun === undefined ? undefined : { ...begun, lostGateways };
}

type Words = Pick<BegunAnswer, 'thoughts' | 'isThinking' | 'text' | 'trailingBlanks'>;

/** Where thoughts stand between tags inside the text, they are taken out of it. */
function apart(before: BegunAnswer | undefined, thoughts: string, text: string, isInline: boolean): Words {
  const opening =
    isInline && before?.isThinking === true ? `<think>${before.thoughts}` : (before?.text ?? '');
  const whole = opening + text;
  const inline = isInline ? inlineThought.exec(whole) : null;
  const earlier = isInline && before?.isThinking === true ? '' : (before?.thoughts ?? '');
  const allThoughts = earlier + (inline?.groups?.['thoughts'] ?? '') + thoughts;
  const said = inline === null ? whole : (inline.groups?.['said'] ?? '');
  const isThinking =
    inline === null ? said === '' && allThoughts !== '' : inline.groups?.['said'] === undefined;
  const last = isThinking ? allThoughts : said;
  return {
    thoughts: isThinking ? allThoughts.trimEnd() : allThoughts,
    isThinking,
    text: said.trimEnd(),
    trailingBlanks: last.slice(last.trimEnd().length),
  };
}

/** Whoever writes all of it once more writes its last blanks only once. */
function withBlanks(before: BegunAnswer): BegunAnswer {
  const { isThinking, thoughts, text, trailingBlanks } = before;
  return {
    ...before,
    thoughts: isThinking ? thoughts + trailingBlanks : thoughts,
    text: isThinking ? text : text + trailingBlanks,
  };
}

const inlineThought = /^\s*<think>(?<thoughts>[^]*?)(?:<\/think>\s*(?<said>[^]*))?$/;

function hasCalls(frame: Buffer): boolean {
  return frame.includes('"tool_calls":[{') || /"tool_calls"\s*:\s*\[\s*\{/.test(frame.toString('latin1'));
}

function headOf(frame: Buffer | undefined): Readonly<Record<string, unknown>> {
  const chunk: unknown = JSON.parse((frame && frameData(frame)) ?? '{}');
  if (!isObject(chunk)) return {};
  const { choices: _choices, usage: _usage, ...head } = chunk;
  return head;
}
