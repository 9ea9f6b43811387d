import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '#vocabulary/clock';
import { Cancellation } from '#vocabulary/cancellation';
import type { BodyLimit, Exchange } from '#vocabulary/exchange';
import type { RosterEntry } from '#vocabulary/roster';
import type { CallerBudget, CallerBudgets } from './caller-budgets.ts';
import type { Connection, Serving } from './connection.ts';
import { readHeaders } from './headers.ts';
import { HttpReply } from './http-reply.ts';
import { giveBackBody, RequestBody } from './request-body.ts';
import type { RequestHead } from './request-head.ts';
import type { RequestPath } from './request-path.ts';

export interface ExchangeParts {
  readonly clock: Clock;
  readonly budgets: CallerBudgets;
  readonly addressOf: AddressOf;
  readonly maxBodyBytes: number;
  /** Now, as the head of an answer says it. */
  readonly date: () => string;
  /** The last byte of the answer has left, or nobody is there to take it. */
  readonly onOver: (exchange: HttpExchange) => void;
}

/** The true address of a caller, behind trusted proxies. */
export type AddressOf = (caller: Pick<Exchange, 'peerAddress' | 'headers'>) => string;

/** A request that came over a socket. */
export class HttpExchange implements Exchange, Serving {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peerAddress: string;
  readonly receivedAt: number;
  readonly startedMs: number;
  readonly cancellation = new Cancellation();
  readonly reply: HttpReply;
  readonly memory: CallerBudget;
  readonly body: RequestBody;
  /** Among those under way. */
  place: RosterEntry | undefined;
  readonly #fields: readonly string[];
  readonly #parts: ExchangeParts;
  #headers: IncomingHttpHeaders | undefined;

  constructor(
    connection: Connection,
    head: RequestHead,
    target: RequestPath,
    requestId: string,
    commonFields: string,
    parts: ExchangeParts,
  ) {
    this.requestId = requestId;
    this.method = head.method;
    this.path = target.path;
    this.query = target.query;
    this.peerAddress = connection.peerAddress;
    this.receivedAt = parts.clock.wallMs();
    this.startedMs = parts.clock.monotonicMs();
    this.#fields = head.fields;
    this.#parts = parts;
    this.memory = parts.budgets.open(parts.addressOf(this));
    this.body = new RequestBody(connection);
    const form = {
      commonFields,
      isHead: head.method === 'HEAD',
      knowsChunks: !head.isFirstVersion,
      date: parts.date,
    };
    this.reply = new HttpReply(connection, form, this.memory);
    // Whoever was declared gone while the connection stood, such as a reader who takes nothing, is disconnected.
    this.cancellation.onCancel((reason) => {
      if (reason === 'caller-left') connection.disconnect(this);
    });
  }

  get headers(): IncomingHttpHeaders {
    return (this.#headers ??= readHeaders(this.#fields));
  }

  countHeader(lowerCaseName: string): number {
    const fields = this.#fields;
    let count = 0;
    for (let index = 0; index < fields.length; index += 2) if (fields[index] === lowerCaseName) count++;
    return count;
  }

  readBody(limit: BodyLimit = {}): Promise<Buffer> {
    const maxBytes = Math.min(this.#parts.maxBodyBytes, limit.maxBytes ?? Infinity);
    return this.body.read(this.headers, this.cancellation, this.memory, {
      maxBytes,
      mediaType: limit.isPlainBytes === true ? 'application/octet-stream' : 'application/json',
    });
  }

  forgetBody(body: Buffer): void {
    giveBackBody(body);
  }

  over(isWhole: boolean): void {
    this.reply.detach();
    this.memory[Symbol.dispose]();
    if (!isWhole) this.cancellation.cancel('caller-left');
    this.#parts.onOver(this);
  }
}
