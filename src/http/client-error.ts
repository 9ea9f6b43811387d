import { randomUUIDv7 } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { errorBody } from '#dialects/openai-error';
import { Refusal } from '#vocabulary/refusal';
import type { Answering } from './connections.ts';

/**
 * Ends a connection on which something came that is no request: bad framing, too many headers, too slow a sender.
 * Answers under way were asked for by proper requests and are finished first, undisturbed.
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Duplex,
  underWay: readonly Answering[],
): void {
  // Without a handshake there is no way to say anything, and waiting to have said it would keep the socket for ever.
  const hasNoTls = /^ERR_(?:SSL|TLS)_/.test(error.code ?? '');
  if (!socket.writable || hasNoTls || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const last = underWay.at(-1);
  const isOwnFault = last !== undefined && !last.request.complete;
  if (last === undefined || (isOwnFault && underWay.length === 1 && !last.response.headersSent)) {
    sayWhy(refusalOf(error.code), socket);
    return;
  }
  // What is wrong is the last request itself: its answer can come to nothing.
  const awaited = isOwnFault ? underWay.at(-2) : last;
  if (awaited === undefined) socket.destroy();
  else awaited.response.once('close', () => void socket.end());
}

function sayWhy(refusal: Refusal, socket: Duplex): void {
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${reasons[refusal.status] ?? 'Error'}\r\nContent-Type: application/json\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\nX-Request-Id: ${randomUUIDv7()}\r\n\r\n${body}`,
  );
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal(
        'headers_too_large',
        'The request headers are larger than this service accepts. Send fewer or shorter headers.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal(
        'request_timeout',
        'The request took too long to arrive. Send it again over a faster connection.',
      );
    default:
      return new Refusal('invalid_request', 'The request is not valid HTTP.');
  }
}
