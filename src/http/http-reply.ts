import { STATUS_CODES } from 'node:http';
import type { Reply } from '#vocabulary/exchange';
import type { CallerBudget } from './caller-budgets.ts';

/** Where an answer goes: the socket of the caller, for as long as the answer is due. */
export interface AnswerLine {
  readonly unsentBytes: number;
  /** Whether the connection may carry another request behind this answer. */
  readonly staysOpen: boolean;
  /** False when more is waiting to leave than is good. */
  send(text: string): boolean;
  sendAround(before: string, bytes: Buffer, after: string): boolean;
  /** All has been given; `isLast` when the end of the connection is what tells the caller so. */
  answerEnded(isLast: boolean): void;
  /** The answer can come to no good end: whoever reads it is to see that. */
  cut(): void;
}

export interface AnswerForm {
  /** Head fields that every answer carries, as they are sent. */
  readonly commonFields: string;
  readonly isHead: boolean;
  /** To HTTP/1.0. */
  readonly knowsChunks: boolean;
  /** As the head says it. */
  readonly date: () => string;
}

/** An answer that goes out over a socket: its head with the first piece, every piece in one write. */
export class HttpReply implements Reply {
  #line: AnswerLine | undefined;
  readonly #form: AnswerForm;
  readonly #budget: CallerBudget;
  /** As they are sent, by name. */
  #announced: Map<string, string> | undefined;
  /** Written with the first piece. */
  #head: string | undefined;
  #framing: 'undecided' | 'none' | 'length' | 'chunks' | 'close' = 'undecided';
  #owedBytes = 0;
  #staysOpen = true;
  /** Whoever answers wants the connection to end. */
  #saysClose = false;
  #whenDrained: (() => void)[] = [];
  #isCounted = false;
  hasBegun = false;
  hasEnded = false;
  /** Goes on until somebody leaves. */
  isEventStream = false;

  constructor(line: AnswerLine, form: AnswerForm, budget: CallerBudget) {
    this.#line = line;
    this.#form = form;
    this.#budget = budget;
  }

  get bufferedBytes(): number {
    return this.#line?.unsentBytes ?? 0;
  }

  /** Over a socket the heartbeat's comments tell. */
  showPlace(): void {}

  announce(headers: readonly string[]): void {
    for (let index = 0; index < headers.length; index += 2) {
      const [name = '', value = ''] = [headers[index], headers[index + 1]];
      (this.#announced ??= new Map()).set(name, writeFields([name, value]));
    }
  }

  begin(status: number, headers: readonly string[]): void {
    if (this.hasBegun) throw new Error('an answer begins once');
    const announced = this.#announced === undefined ? '' : [...this.#announced.values()].join('');
    const fields = announced + writeFields(headers);
    this.hasBegun = true;
    this.isEventStream = valueOf(headers, 'content-type')?.startsWith('text/event-stream') === true;
    this.#head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${this.#form.commonFields}${fields}`;
    // Only ever to close it.
    this.#saysClose = valueOf(headers, 'connection') !== undefined;
    const length = valueOf(headers, 'content-length');
    if (this.#form.isHead || status === 204 || status === 304) this.#framing = 'none';
    else if (length !== undefined) {
      this.#framing = 'length';
      this.#owedBytes = Number(length);
    }
  }

  write(chunk: Buffer | string): boolean {
    const line = this.#line;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (line === undefined || bytes.length === 0) return true;
    const hasRoom = this.#send(line, this.#takeHead(undefined), bytes, false);
    if (!hasRoom) this.#countUnsent(line);
    return hasRoom;
  }

  onDrain(listener: () => void): void {
    this.#whenDrained.push(listener);
  }

  end(chunk: Buffer | string = nothing): void {
    this.hasEnded = true;
    const line = this.#line;
    if (line === undefined) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#send(line, this.#takeHead(bytes.length), bytes, true);
    // Whoever was promised more would take the next answer for the rest of this one.
    if (!this.hasBegun || (this.#framing === 'length' && this.#owedBytes !== 0)) {
      line.cut();
      return;
    }
    if (line.unsentBytes > 0) this.#countUnsent(line);
    line.answerEnded(!this.#staysOpen);
  }

  /** All that was waiting to leave has left. */
  drained(): void {
    if (this.#isCounted) this.#budget.setUnsent(this.#line?.unsentBytes ?? 0);
    this.#isCounted = false;
    const listeners = this.#whenDrained;
    this.#whenDrained = [];
    for (const listener of listeners) listener();
  }

  /** Sends what no reader minds, so that it shows whether somebody is there. False where there is no such thing. */
  knock(): boolean {
    if (this.hasEnded) return true;
    if (this.hasBegun) {
      if (this.isEventStream) this.write(':\n\n');
      return true;
    }
    if (this.#form.knowsChunks) this.#line?.send('HTTP/1.1 100 Continue\r\n\r\n');
    return this.#form.knowsChunks;
  }

  /** The answer is over, one way or the other: what is written from now on goes nowhere. */
  detach(): void {
    this.#line = undefined;
  }

  /** The head, if it has not left: with the length of the body if that is known, otherwise framed by what the caller knows. */
  #takeHead(wholeBytes: number | undefined): string {
    const begun = this.#head;
    if (begun === undefined) return '';
    this.#head = undefined;
    let framing = '';
    if (this.#framing === 'undecided') {
      if (wholeBytes !== undefined) {
        this.#framing = 'length';
        this.#owedBytes = wholeBytes;
        framing = `Content-Length: ${wholeBytes}\r\n`;
      } else if (this.#form.knowsChunks) {
        this.#framing = 'chunks';
        framing = 'Transfer-Encoding: chunked\r\n';
      } else this.#framing = 'close';
    }
    this.#staysOpen = this.#framing !== 'close' && !this.#saysClose && this.#line?.staysOpen === true;
    const connection = this.#staysOpen ? keptOpen : this.#saysClose ? '' : 'Connection: close\r\n';
    return `${begun}Date: ${this.#form.date()}\r\n${connection}${framing}\r\n`;
  }

  #send(line: AnswerLine, head: string, bytes: Buffer, isLast: boolean): boolean {
    switch (this.#framing) {
      case 'none':
        return head === '' || line.send(head);
      case 'chunks': {
        if (bytes.length === 0) return line.send(`${head}${isLast ? '0\r\n\r\n' : ''}`);
        const before = `${head}${bytes.length.toString(16)}\r\n`;
        return send(line, before, bytes, isLast ? '\r\n0\r\n\r\n' : '\r\n');
      }
      case 'length':
        this.#owedBytes -= bytes.length;
        return send(line, head, bytes, '');
      case 'close':
      case 'undecided':
        return send(line, head, bytes, '');
    }
  }

  /** Only what a reader leaves lying is worth counting; it is counted until they have taken all of it. */
  #countUnsent(line: AnswerLine): void {
    this.#budget.setUnsent(line.unsentBytes);
    this.#isCounted = true;
  }
}

/** For how long a connection is kept for another request. */
export const keptOpenMs = 75_000;
const keptOpen = `Connection: keep-alive\r\nKeep-Alive: timeout=${keptOpenMs / 1000}\r\n`;

/** Small pieces travel as text, byte for byte, with what stands around them: one call to the system. */
const maxJoinedBytes = 16 * 1024;
const nothing: Buffer = Buffer.alloc(0);

function send(line: AnswerLine, before: string, bytes: Buffer, after: string): boolean {
  if (bytes.length > maxJoinedBytes) return line.sendAround(before, bytes, after);
  const text = before + bytes.toString('latin1') + after;
  return text === '' || line.send(text);
}

/** Head fields as they are sent. What would end a field before its end, or cannot be sent, is a bug of whoever gave it. */
export function writeFields(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    const value = headers[index + 1] ?? '';
    if (unsendable.test(value))
      throw new TypeError(`the header ${name} holds characters that cannot be sent`);
    text += `${name}: ${value}\r\n`;
  }
  return text;
}

const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

function valueOf(headers: readonly string[], lowerCaseName: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index] === lowerCaseName) return headers[index + 1];
  return undefined;
}
