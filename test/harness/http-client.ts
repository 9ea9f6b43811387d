import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { waitUntil, within } from './wait-until.ts';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An object is sent as JSON; a string or bytes as they are. */
  readonly body?: object | string | Buffer;
  /** Source address on the loopback, to play callers of different networks. */
  readonly from?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
  /** `error` of the body, for refusals. */
  readonly error: { message: string; type: string; param: string | null; code: string | null };
}

/** One request on a connection of its own, read to its end. */
export async function send(url: string, sent: Sent = {}): Promise<Received> {
  const stream = await openStream(url, sent);
  await stream.ended;
  const text = stream.raw().toString('utf8');
  return {
    status: stream.status,
    headers: stream.headers,
    text,
    get json() {
      return JSON.parse(text) as Record<string, unknown>;
    },
    get error() {
      return (JSON.parse(text) as { error: Received['error'] }).error;
    },
  };
}

/** An answer that is read while it arrives. */
export interface ReceivedStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  raw(): Buffer;
  /** The `data:` payloads of complete frames so far. */
  frames(): string[];
  /** The same, parsed; `[DONE]` left out, error events without choices. */
  chunks(): Chunk[];
  untilFrames(count: number): Promise<void>;
  /** `complete`: the body ended as HTTP says; `broken`: the connection went away before. */
  readonly ended: Promise<'complete' | 'broken'>;
  leave(): void;
  pause(): void;
  resume(): void;
}

export interface Chunk {
  readonly id: string;
  readonly object: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: Record<string, unknown>;
    readonly text?: string;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Record<string, unknown> | null;
  readonly error?: { readonly message: string; readonly code: unknown; readonly type: string };
}

export async function openStream(url: string, sent: Sent = {}): Promise<ReceivedStream> {
  const response = await begin(url, sent);
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<'complete' | 'broken'>((resolve) => {
    response.on('end', () => resolve('complete'));
    response.on('error', () => resolve('broken'));
    response.on('close', () => resolve(response.complete ? 'complete' : 'broken'));
  });
  const raw = () => Buffer.concat(parts);
  const frames = () => framesIn(raw().toString('utf8'));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    raw,
    frames,
    chunks: () =>
      frames()
        .filter((data) => data !== '[DONE]')
        .map((data) => ({ choices: [], ...(JSON.parse(data) as Partial<Chunk>) }) as unknown as Chunk),
    untilFrames: async (count) => {
      await waitUntil(`${count} frames have arrived`, () => frames().length >= count);
    },
    // A fuse, so that a connection nobody ends fails one test and not the whole run; what a test waits for gives up first.
    ended: within('the answer to end', ended, 90_000),
    leave: () => response.destroy(),
    pause: () => response.pause(),
    resume: () => response.resume(),
  };
}

/** The data of every complete frame, comments left out; tolerant of both line ends. */
export function framesIn(text: string): string[] {
  const complete = text.replaceAll('\r\n', '\n').split('\n\n').slice(0, -1);
  return complete.flatMap((block) => {
    const lines = block.split('\n').filter((line) => line.startsWith('data:'));
    return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).trimStart()).join('\n')];
  });
}

/** The request itself, for tests that leave before any answer came. */
export function begin(url: string, sent: Sent = {}, signal?: AbortSignal): Promise<IncomingMessage> {
  const isJson = sent.body !== undefined && typeof sent.body === 'object' && !Buffer.isBuffer(sent.body);
  const body = isJson ? JSON.stringify(sent.body) : sent.body;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = httpRequest(url, {
    method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
    agent: false,
    headers: {
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...sent.headers,
    },
    ...(sent.from === undefined ? {} : { localAddress: sent.from }),
    ...(signal === undefined ? {} : { signal }),
  });
  outgoing.on('response', resolve);
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
