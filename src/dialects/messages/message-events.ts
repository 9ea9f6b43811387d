import { isObject, type JsonObject } from '#dialects/json-object';
import { type ChatError, namedFrame } from '#dialects/translation';
import {
  beginSignature,
  endSignature,
  messageEnding,
  type MessageEnding,
  messageUsage,
  thoughtIn,
} from './answer-parts.ts';
import { CallOrder, type CallPiece } from './call-order.ts';
import type { AskedMessage } from './chat-request.ts';
import { messageError } from './message-error.ts';

/**
 * The chunks of a streamed chat completion as the events of this dialect: one message, whose blocks come one after the
 * other, each begun, written and ended. Its beginning tells what the prompt came to, so it waits for the first chunk,
 * with which many engines tell it; the end waits for the usage of all. One per answer.
 */
export class MessageEvents {
  readonly #asked: AskedOfEvents;
  readonly #head: MessageHead;
  #hasBegun = false;
  readonly #calls = new CallOrder();
  /** What was said while a call was being written: it has a block of its own behind that call. */
  #later: JsonObject[] = [];
  #laterBytes = 0;
  #block: 'none' | 'text' | 'thinking' | 'tool_use' = 'none';
  #index = -1;
  #signature = beginSignature();
  #withheldPieces = 0;
  #ending: MessageEnding | undefined;
  #hasFailed = false;
  #usage: unknown;
  #out = '';

  constructor(asked: AskedOfEvents, head: MessageHead) {
    this.#asked = asked;
    this.#head = head;
  }

  chunk(chunk: JsonObject): string {
    if (this.#hasFailed) return '';
    if (isObject(chunk['usage'])) this.#usage = chunk['usage'];
    const choices = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[]) : [];
    const choice = choices[0];
    if (isObject(choice)) {
      if (isObject(choice['delta'])) this.#spoken(choice['delta']);
      if (typeof choice['finish_reason'] === 'string') this.#finish(choice);
    }
    return this.#taken();
  }

  ping(): string {
    if (this.#hasFailed) return '';
    if (this.#hasBegun) this.#say(ping);
    else this.#begin();
    return this.#taken();
  }

  /** Only of what engines say across each other. */
  get heldBytes(): number {
    return this.#laterBytes + this.#calls.waitingBytes;
  }

  end(): string {
    if (this.#hasFailed) return '';
    if (this.#ending === undefined) this.#finish({});
    this.#say({ type: 'message_delta', delta: this.#ending, usage: messageUsage(this.#usage) });
    this.#say({ type: 'message_stop' });
    return this.#taken();
  }

  fail(error: ChatError): string {
    if (this.#hasFailed) return '';
    this.#hasFailed = true;
    this.#say(messageError(error));
    return this.#taken();
  }

  #spoken(delta: JsonObject): void {
    if (this.#calls.isWriting) this.#postpone(delta);
    else this.#tell(delta);
    const calls = Array.isArray(delta['tool_calls']) ? (delta['tool_calls'] as unknown[]) : [];
    for (const call of calls)
      if (isObject(call)) for (const piece of this.#calls.push(call)) this.#call(piece);
    if (this.#later.length > 0 && !this.#calls.isWriting) this.#tellLater();
  }

  #postpone(delta: JsonObject): void {
    this.#later.push(delta);
    for (const said of Object.values(delta)) this.#laterBytes += typeof said === 'string' ? said.length : 0;
  }

  #tell(delta: JsonObject): void {
    const thought = thoughtIn(delta);
    if (thought !== '') this.#think(thought);
    for (const text of [delta['content'], delta['refusal']]) {
      if (typeof text === 'string' && text !== '') this.#write(text);
    }
  }

  #tellLater(): void {
    const later = this.#later;
    this.#later = [];
    this.#laterBytes = 0;
    for (const delta of later) this.#tell(delta);
  }

  #think(thought: string): void {
    if (this.#asked.thoughts === 'withheld') {
      // Long thinking that nobody sees must not look like silence.
      if (this.#withheldPieces++ % withheldPiecesPerPing === 0) this.#say(ping);
      return;
    }
    if (this.#block !== 'thinking') this.#open('thinking', { type: 'thinking', thinking: '', signature: '' });
    this.#signature.update(thought);
    if (this.#asked.thoughts === 'told') this.#delta({ type: 'thinking_delta', thinking: thought });
  }

  #write(text: string): void {
    if (this.#block !== 'text') this.#open('text', { type: 'text', text: '', citations: null });
    this.#delta({ type: 'text_delta', text });
  }

  #call(piece: CallPiece): void {
    if (piece.opening !== undefined) {
      const { id, name } = piece.opening;
      this.#open('tool_use', { type: 'tool_use', id, name, input: {} });
    }
    // Blanks behind complete arguments may come when something else is being said.
    if (piece.fragment !== '' && this.#block === 'tool_use')
      this.#delta({ type: 'input_json_delta', partial_json: piece.fragment });
  }

  #finish(choice: JsonObject): void {
    for (const piece of this.#calls.finish()) this.#call(piece);
    this.#tellLater();
    this.#close();
    this.#ending = messageEnding(choice, this.#calls.hasCalled, this.#asked.stopSequences);
  }

  #open(kind: 'text' | 'thinking' | 'tool_use', block: JsonObject): void {
    this.#close();
    this.#block = kind;
    this.#index++;
    this.#say({ type: 'content_block_start', index: this.#index, content_block: block });
  }

  #close(): void {
    if (this.#block === 'none') return;
    if (this.#block === 'thinking') {
      this.#delta({ type: 'signature_delta', signature: endSignature(this.#signature) });
      this.#signature = beginSignature();
    }
    this.#block = 'none';
    this.#say({ type: 'content_block_stop', index: this.#index });
  }

  #delta(delta: JsonObject): void {
    this.#say({ type: 'content_block_delta', index: this.#index, delta });
  }

  #say(event: JsonObject & { readonly type: string }): void {
    if (!this.#hasBegun) this.#begin();
    this.#out += namedFrame(event);
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#say({
      type: 'message_start',
      message: {
        ...this.#head,
        type: 'message',
        role: 'assistant',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: messageUsage(this.#promptUsage()),
      },
    });
    this.#say(ping);
  }

  #promptUsage(): JsonObject {
    if (!isObject(this.#usage)) return { prompt_tokens: this.#asked.guessedTokens };
    const { prompt_tokens: prompt, prompt_tokens_details: details } = this.#usage;
    return { prompt_tokens: prompt, prompt_tokens_details: details };
  }

  #taken(): string {
    const out = this.#out;
    this.#out = '';
    return out;
  }
}

type AskedOfEvents = Pick<AskedMessage, 'thoughts' | 'stopSequences' | 'guessedTokens'>;

interface MessageHead {
  readonly id: string;
  readonly model: string;
}

const ping = { type: 'ping' };
const withheldPiecesPerPing = 64;
