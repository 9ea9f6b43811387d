import { constants, type ServerHttp2Stream } from 'node:http2';
import { Duplex } from 'node:stream';
import { ChunkedBody } from '#dialects/http-chunks';
import type { CallerSocket } from './sockets.ts';

/** Whoever takes less than this in the time that readers have is too slow. */
const maxPieceBytes = 64 * 1024;
/** So long the end of an answer is left to leave before the stream is reset for whoever goes on sending. */
const lastWordsMs = 1000;

/**
 * A stream of HTTP/2 as the socket of a caller who sends one request over HTTP/1.1 and closes: whatever holds for such
 * a connection holds for the stream.
 */
export class Http2StreamSocket extends Duplex implements CallerSocket {
  readonly remoteAddress: string;
  readonly #stream: ServerHttp2Stream;
  readonly #isHead: boolean;
  /** Until somebody reads it. */
  #head: string | undefined;
  /** Of the body; undefined where it comes in chunks. */
  #owedBytes: number | undefined;
  /** What is left of the body of the answer. */
  #answer: 'awaited' | 'ended' | { leftBytes: number } | ChunkedBody = 'awaited';
  #pieces: Buffer[] = [];
  /** All of the answer has left, its end included. */
  #hasSentAll = false;
  #whenSentAll: (() => void) | undefined;
  #patience: NodeJS.Timeout | undefined;
  /** What the caller is told when the connection closes before the answer has ended. */
  #fault: number = constants.NGHTTP2_REFUSED_STREAM;

  constructor(stream: ServerHttp2Stream, { text, bodyBytes }: WrittenHead, remoteAddress: string) {
    super();
    this.#stream = stream;
    this.#head = text;
    this.#isHead = text.startsWith('HEAD ');
    this.#owedBytes = bodyBytes;
    this.remoteAddress = remoteAddress;
    stream.once('close', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) this.#whenSentAll?.();
      if (this.#hasSentAll) this.push(null);
      else this.destroy();
    });
  }

  get #isRequestWhole(): boolean {
    return this.#stream.endAfterHeaders || this.#stream.readableEnded;
  }

  setTimeout(ms: number): void {
    clearTimeout(this.#patience);
    this.#patience = ms === 0 ? undefined : setTimeout(() => this.emit('timeout'), ms);
  }

  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    if (this.#head === undefined) {
      this.#stream.resume();
      return;
    }
    this.#fault = constants.NGHTTP2_INTERNAL_ERROR;
    this.push(Buffer.from(this.#head, 'latin1'));
    this.#head = undefined;
    this.#stream.on('data', (bytes: Buffer) => this.#bodyArrived(bytes));
    this.#stream.once('end', () => this.#requestEnded());
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    try {
      for (const { chunk } of chunks) this.#readAnswer(chunk);
    } catch (thrown) {
      done(thrown instanceof Error ? thrown : new Error(String(thrown)));
      return;
    }
    const pieces = this.#pieces;
    this.#pieces = [];
    const [first = nothing] = pieces;
    this.#send(pieces.length > 1 ? Buffer.concat(pieces) : first, done);
  }

  override _final(done: () => void): void {
    if (!this.#hasSentAll) this.destroy();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#patience);
    if (!this.#hasSentAll) this.#stream.close(this.#fault);
    else if (!this.#isRequestWhole)
      setTimeout(() => this.#stream.close(constants.NGHTTP2_NO_ERROR), lastWordsMs).unref();
    done(error);
  }

  /** A copy: what a read of the session brought is shared by its streams, and whoever gets a body may give it back. */
  #bodyArrived(bytes: Buffer): void {
    let copy: Buffer;
    if (this.#owedBytes === undefined)
      copy = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, lineBreak]);
    else {
      this.#owedBytes -= bytes.length;
      copy = Buffer.from(bytes);
      if (this.#owedBytes < 0) this.#break();
    }
    if (!this.destroyed && !this.push(copy)) this.#stream.pause();
  }

  #requestEnded(): void {
    // Also those end who go half-way, and say that nothing is wrong.
    if (this.#hasSentAll) return;
    if (this.#stream.closed) this.destroy();
    else if (this.#owedBytes === undefined) this.push('0\r\n\r\n');
    else if (this.#owedBytes > 0) this.#break();
  }

  #break(): void {
    this.#fault = constants.NGHTTP2_PROTOCOL_ERROR;
    this.destroy();
  }

  /** What we have written ourselves: a head comes in one piece, and is framed as it says. */
  #readAnswer(bytes: Buffer): void {
    let at = 0;
    while (this.#answer === 'awaited' && at < bytes.length) at = this.#readHead(bytes, at);
    const answer = this.#answer;
    if (answer instanceof ChunkedBody) {
      answer.read(bytes, at);
      if (answer.hasEnded) this.#answer = 'ended';
    } else if (typeof answer === 'object') {
      if (at < bytes.length) this.#pieces.push(bytes.subarray(at));
      answer.leftBytes -= bytes.length - at;
      if (answer.leftBytes <= 0) this.#answer = 'ended';
    }
  }

  /** Behind the head. */
  #readHead(bytes: Buffer, start: number): number {
    const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
    const [statusLine = '', ...lines] = bytes.toString('latin1', start, end).split('\r\n');
    const status = statusLine.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    if (status === '100') {
      this.#stream.additionalHeaders({ ':status': 100 });
      return end + 4;
    }
    const fields = [':status', status];
    let length: number | undefined;
    for (const line of lines) {
      const colon = line.indexOf(': ');
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 2);
      if (name === 'content-length') length = Number(value);
      if (!ofTheConnection.has(name)) fields.push(name, value);
    }
    const endStream = this.#isHead || status === '204' || status === '304' || length === 0;
    // Otherwise Node would tell of a good end also where it is told of a bad one.
    this.#stream.respond(fields, { endStream, waitForTrailers: !endStream });
    if (endStream) this.#answer = 'ended';
    else if (length === undefined) this.#answer = new ChunkedBody(this.#chunkParts());
    else this.#answer = { leftBytes: length };
    return end + 4;
  }

  #chunkParts(): ConstructorParameters<typeof ChunkedBody>[0] {
    return {
      arrived: (piece) => this.#pieces.push(piece),
      checkTrailers() {},
      fault: (why) => new Error(why),
    };
  }

  /** One piece after the other: only so is it known how far the reader has come. */
  #send(bytes: Buffer, done: (error?: Error | null) => void): void {
    if (bytes.length > maxPieceBytes)
      this.#write(bytes.subarray(0, maxPieceBytes), (error) => {
        if (error) done(error);
        else this.#send(bytes.subarray(maxPieceBytes), done);
      });
    else if (this.#answer === 'ended' && !this.#hasSentAll) this.#end(bytes, done);
    else if (bytes.length > 0) this.#write(bytes, done);
    else done();
  }

  #write(bytes: Buffer, done: (error?: Error | null) => void): void {
    this.#stream.write(bytes, (error) => {
      this.#patience?.refresh();
      done(error);
    });
  }

  /** The end leaves behind the last piece. It closes the stream, but for those who have not sent all of their request. */
  #end(bytes: Buffer, done: () => void): void {
    const stream = this.#stream;
    this.#whenSentAll = () => {
      this.#whenSentAll = undefined;
      this.#hasSentAll = true;
      done();
    };
    if (!stream.writableEnded) stream.end(bytes);
    const sent = () => {
      if (!this.#isRequestWhole) this.#whenSentAll?.();
    };
    if (stream.writableFinished) sent();
    else stream.once('finish', sent);
  }
}

/** The head of a request as HTTP/1.1 writes it. */
interface WrittenHead {
  readonly text: string;
  /** Undefined where the body comes in chunks. */
  readonly bodyBytes: number | undefined;
}

/**
 * Undefined where a head could become another one in being written, or says what nobody may say in HTTP/2; the rest is
 * judged by whoever reads it. Names and values in turns.
 */
export function writeRequestHead(fields: readonly string[], hasBody: boolean): WrittenHead | undefined {
  const asked = new Map<string, string>();
  let lines = '';
  let bodyBytes = hasBody ? undefined : 0;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    const value = fields[index + 1] ?? '';
    if (name.startsWith(':')) {
      if (asked.has(name) || lines !== '' || !pseudoHeaders.has(name)) return undefined;
      asked.set(name, value);
      continue;
    }
    const line = `${name}: ${value}`;
    if (!fieldLine.test(line) || ofTheConnection.has(name)) return undefined;
    if (name === 'content-length') bodyBytes = Number(value);
    if (name === 'host' && asked.has(':authority')) {
      if (value !== asked.get(':authority')) return undefined;
    } else if (name !== 'te') lines += `${line}\r\n`;
  }
  const [method = '', path = ''] = [asked.get(':method'), asked.get(':path')];
  const authority = asked.get(':authority');
  const host = authority === undefined ? '' : `host: ${authority}`;
  if (!unbroken.test(method) || !unbroken.test(path) || (host !== '' && !fieldLine.test(host)))
    return undefined;
  const framing = bodyBytes === undefined ? 'transfer-encoding: chunked\r\n' : '';
  const begin = `${method} ${path} HTTP/1.1\r\n${host}${host && '\r\n'}`;
  return { text: `${begin}${lines}connection: close\r\n${framing}\r\n`, bodyBytes };
}

const nothing: Buffer = Buffer.alloc(0);
const lineBreak = Buffer.from('\r\n');
const unbroken = /^[\x21-\x7e\x80-\xff]+$/;
const fieldLine = /^[!#$%&'*+\-.^_`|~0-9a-z]+: [\t\x20-\x7e\x80-\xff]*$/;
const pseudoHeaders = new Set([':method', ':scheme', ':authority', ':path']);
const ofTheConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);
