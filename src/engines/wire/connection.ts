import type { Socket } from 'node:net';
import { type AnswerHead, BadAnswer } from './answer-head.ts';
import { type AnswerListener, AnswerParser } from './answer-parser.ts';
import { connectingEvent, type EngineAddress, openSocket } from './open-socket.ts';

/** Who has a connection for the time of one request. */
export interface ConnectionUser {
  headArrived(head: AnswerHead): void;
  bodyArrived(bytes: Buffer): void;
  /** The connection has let go of its user: it is free for the next one, with nothing left to send, or closed. */
  answerEnded(isFree: boolean): void;
  /** The same, before the answer had ended. */
  connectionFailed(cause: Error, stage: ConnectionStage): void;
}

/** How far a request had come when its connection failed. */
export type ConnectionStage = 'connecting' | 'sent' | 'answering';

export interface ConnectionEvents {
  /** It can carry another request. */
  freed(connection: Connection): void;
  closed(): void;
}

const connectMs = 5000;
/** Below the five seconds after which common engines close an idle connection. */
const idleMs = 4000;
/** Engines that say when they close are not asked so shortly before. */
const marginMs = 1000;
/** Up to here head and body are one text, which Node hands to the system in one call. */
const maxJoinedBytes = 16 * 1024;

/**
 * One socket to an engine. It carries one request at a time, and another one only after an answer that ended where it
 * said it would, with nothing behind it, on a connection that both sides keep open.
 */
export class Connection implements AnswerListener {
  readonly #socket: Socket;
  readonly #monotonicMs: () => number;
  readonly #events: ConnectionEvents;
  #connecting: NodeJS.Timeout | undefined;
  /** Sends what has to wait for the connection. */
  #whenConnected: (() => void) | undefined;
  #user: ConnectionUser | undefined;
  #parser: AnswerParser | undefined;
  #hasEnded = false;
  #staysOpen = true;
  #idleSinceMs = 0;
  #keptMs = idleMs;
  isClosed = false;
  /** Whether a request has already been answered on it: such a one may die of age at any moment. */
  hasServed = false;

  constructor(address: EngineAddress, monotonicMs: () => number, events: ConnectionEvents) {
    this.#monotonicMs = monotonicMs;
    this.#events = events;
    const socket = openSocket(address, (bytes) => this.#read(bytes));
    this.#socket = socket;
    socket.on('end', () => this.#readEnd());
    socket.on('error', (cause) => this.close(cause));
    socket.on('close', () => this.close(new BadAnswer('the connection was closed')));
    socket.once(connectingEvent(address), () => this.#connected());
    this.#connecting = setTimeout(() => this.close(new Error('no connection in time')), connectMs);
  }

  /** Whether it is closed, or has been idle for longer than an engine can be trusted to keep it. */
  isStale(nowMs: number): boolean {
    return this.isClosed || nowMs - this.#idleSinceMs >= this.#keptMs;
  }

  /** Sends a request for a user; only on a new connection, or on one that was freed. */
  carry(user: ConnectionUser, head: string, body: readonly Buffer[], bodyBytes: number): void {
    this.#user = user;
    if (this.#connecting === undefined) this.#send(head, body, bodyBytes);
    else this.#whenConnected = () => this.#send(head, body, bodyBytes);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes it under a user who wants to hear no more. */
  abort(): void {
    this.#user = undefined;
    this.close(new Error('aborted'));
  }

  close(cause: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const stage = this.#stage();
    const user = this.#user;
    this.#user = undefined;
    clearTimeout(this.#connecting);
    this.#socket.destroy();
    this.#events.closed();
    user?.connectionFailed(cause, stage);
  }

  headArrived(head: AnswerHead): void {
    this.#staysOpen = head.staysOpen;
    this.#keptMs = Math.min(idleMs, (head.keptOpenMs ?? Infinity) - marginMs);
    this.#user?.headArrived(head);
  }

  /** A copy of its own: what a socket reads is overwritten by the next read. */
  bodyArrived(bytes: Buffer): void {
    this.#user?.bodyArrived(Buffer.from(bytes));
  }

  answerEnded(): void {
    this.#hasEnded = true;
  }

  #connected(): void {
    clearTimeout(this.#connecting);
    this.#connecting = undefined;
    const send = this.#whenConnected;
    this.#whenConnected = undefined;
    if (!this.isClosed) send?.();
  }

  #send(head: string, body: readonly Buffer[], bodyBytes: number): void {
    this.#parser = new AnswerParser(this);
    this.#hasEnded = false;
    const socket = this.#socket;
    if (bodyBytes <= maxJoinedBytes) {
      let text = head;
      for (const part of body) text += part.toString('latin1');
      socket.write(text, 'latin1');
      return;
    }
    socket.cork();
    socket.write(head, 'latin1');
    for (const part of body) socket.write(part);
    socket.uncork();
  }

  #read(bytes: Buffer): void {
    if (this.#parser === undefined) {
      this.close(new BadAnswer('bytes that belong to no answer'));
      return;
    }
    this.#attempt(this.#parser, (parser) => parser.read(bytes));
  }

  #readEnd(): void {
    if (this.#parser === undefined) this.close(new BadAnswer('the connection was closed'));
    else
      this.#attempt(this.#parser, (parser) => {
        this.#staysOpen = false;
        parser.close();
        return 0;
      });
  }

  /** Whatever is thrown, also by whoever reads, ends this answer and no other. */
  #attempt(parser: AnswerParser, read: (parser: AnswerParser) => number): void {
    try {
      const strayBytes = read(parser);
      if (this.#hasEnded && !this.isClosed) this.#letGo(strayBytes === 0);
    } catch (thrown) {
      this.close(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  #letGo(isClean: boolean): void {
    const user = this.#user;
    this.#user = undefined;
    this.#parser = undefined;
    this.hasServed = true;
    // An engine that answers before it has heard all may take the rest for the next request.
    const isFree = isClean && this.#staysOpen && this.#keptMs > 0 && this.#socket.writableLength === 0;
    if (isFree) {
      if (this.#socket.isPaused()) this.#socket.resume();
      this.#idleSinceMs = this.#monotonicMs();
      this.#events.freed(this);
    } else this.close(new Error('not to be used again'));
    user?.answerEnded(isFree);
  }

  #stage(): ConnectionStage {
    if (this.#connecting !== undefined) return 'connecting';
    return this.#parser?.hasBegun === true ? 'answering' : 'sent';
  }
}
