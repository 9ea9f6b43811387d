import type { ServerResponse } from 'node:http';
import { Refusal, refusalKind } from '#vocabulary/refusal';

/** One HTTP answer of the engine: a JSON document, or a stream of events. */
export interface EngineReply {
  readonly requestId: string;
  readonly hasBegun: boolean;
  json(status: number, body: unknown): void;
  text(status: number, contentType: string, body: string): void;
  /**
   * One server-sent event; the first one begins the stream. What a slow reader has not taken yet is kept: an
   * answer is never longer than the context, so this is bounded by the number of slots.
   */
  event(json: string): void;
  endStream(): void;
  refuse(error: unknown): void;
  /** Called when the reader is gone before the end; at once when that was before. */
  onDeparture(listener: () => void): void;
}

export function createEngineReply(response: ServerResponse, requestId: string): EngineReply {
  let hasEnded = false;
  let hasLeft = false;
  const departed: (() => void)[] = [];
  response.once('close', () => {
    hasLeft = !hasEnded;
    hasEnded = true;
    if (hasLeft) for (const listener of departed) listener();
  });

  function send(status: number, headers: Record<string, string>, body: string): void {
    if (hasEnded) return;
    hasEnded = true;
    response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
    response.end(body);
  }

  function event(json: string): void {
    if (hasEnded) return;
    if (!response.headersSent) response.writeHead(200, streamHeaders);
    response.write(`data: ${json}\n\n`);
  }

  const reply: EngineReply = {
    requestId,
    get hasBegun() {
      return response.headersSent;
    },
    json: (status, body) => send(status, { 'content-type': 'application/json' }, JSON.stringify(body)),
    text: (status, contentType, body) => send(status, { 'content-type': contentType }, body),
    event,
    endStream: () => {
      event('[DONE]');
      if (hasEnded) return;
      hasEnded = true;
      response.end();
    },
    refuse: (error) => {
      const { status, body, headers } = describeError(error);
      if (response.headersSent) {
        event(JSON.stringify(body));
        reply.endStream();
      } else {
        send(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
      }
    },
    onDeparture: (listener) => {
      if (hasLeft) listener();
      else departed.push(listener);
    },
  };
  return reply;
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

function describeError(error: unknown): {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
} {
  const refusal =
    error instanceof Refusal ? error : new Refusal('internal_error', 'The engine made a mistake. Try again.');
  const { type } = refusalKind(refusal.code);
  return {
    status: refusal.status,
    body: { error: { message: refusal.message, type, param: refusal.param, code: refusal.code } },
    headers: {
      ...refusal.headers,
      ...(refusal.retryAfterSeconds !== undefined && { 'retry-after': String(refusal.retryAfterSeconds) }),
    },
  };
}
