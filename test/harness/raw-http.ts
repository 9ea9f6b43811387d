import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { waitUntil, within } from './wait-until.ts';

/** A socket without an HTTP library: for what no honest client would send. */
export interface RawConnection extends Disposable {
  readonly socket: Socket;
  readonly isClosed: boolean;
  send(bytes: string | Buffer): void;
  /** Ends our direction only. */
  halfClose(): void;
  received(): string;
  /** The first response, its body included, once all of it has arrived. */
  whole(): RawResponse | undefined;
  response(): Promise<RawResponse>;
  untilClosed(): Promise<void>;
}

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export async function connectRaw(url: string, from?: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    allowHalfOpen: true,
    ...(from === undefined ? {} : { localAddress: from }),
  });
  await once(socket, 'connect');
  socket.setNoDelay(true);
  const parts: Buffer[] = [];
  let isClosed = false;
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.on('close', () => (isClosed = true));
  const received = () => Buffer.concat(parts).toString('latin1');
  const whole = () => {
    const answer = parseResponse(received(), isClosed);
    if (answer === undefined && isClosed) throw new Error(`closed after: ${received().slice(0, 200)}`);
    return answer;
  };
  return {
    socket,
    get isClosed() {
      return isClosed;
    },
    // The other side may have ended it a moment ago.
    send: (bytes) => void (socket.writable && socket.write(bytes)),
    halfClose: () => void socket.end(),
    received,
    whole,
    response: () => waitUntil('a whole response has arrived', whole),
    untilClosed: () =>
      within('the connection to close', isClosed ? Promise.resolve() : once(socket, 'close').then(() => {})),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Sends bytes on a fresh connection and reads the first response. */
export async function exchangeRaw(url: string, bytes: string | Buffer): Promise<RawResponse> {
  using connection = await connectRaw(url);
  connection.send(bytes);
  return await connection.response();
}

/** A request with the usual head; the body decides the length unless the headers already say something. */
export function rawRequest(
  method: string,
  target: string,
  headers: readonly string[] = [],
  body = '',
): string {
  const hasFraming = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers];
  if (!hasFraming && body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function parseResponse(text: string, isClosed: boolean): RawResponse | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  const rest = text.slice(headEnd + 4);
  if (status >= 100 && status < 200) return parseResponse(rest, isClosed);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    return rest.length >= Number(length) ? { status, head, body: rest.slice(0, Number(length)) } : undefined;
  }
  if (/^transfer-encoding: *chunked/im.test(head)) {
    return rest.includes('0\r\n\r\n') || isClosed ? { status, head, body: rest } : undefined;
  }
  return isClosed || status === 204 || status === 304 ? { status, head, body: rest } : undefined;
}
