import { randomUUIDv7 } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { errorBody } from '#dialects/openai-error';
import { Refusal } from '#vocabulary/refusal';
import type { BadRequest } from './request-head.ts';

/** What is answered where something came that is no request. */
export function refusalOf({ isTooLarge }: BadRequest): Refusal {
  if (!isTooLarge) return new Refusal('invalid_request', 'The request is not valid HTTP.');
  return new Refusal(
    'headers_too_large',
    'The request headers are larger than this service accepts. Send fewer or shorter headers.',
  );
}

export function tooSlow(): Refusal {
  return new Refusal(
    'request_timeout',
    'The request took too long to arrive. Send it again over a faster connection.',
  );
}

/** A whole answer, the last one of its connection. */
export function refusalText(refusal: Refusal): string {
  const body = JSON.stringify(errorBody(refusal));
  return (
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Error'}\r\nContent-Type: application/json\r\n` +
    `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    `Connection: close\r\nX-Request-Id: ${randomUUIDv7()}\r\n\r\n${body}`
  );
}
