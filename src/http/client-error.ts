import { randomUUIDv7 } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { errorBody } from '#dialects/openai-error';
import { Refusal } from '#vocabulary/refusal';

/** Answers what never became a request: bad framing, too many headers, too slow a sender. Then hangs up. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  // Without a handshake there is no way to say anything, and waiting to have said it would keep the socket for ever.
  const hasNoTls = /^ERR_(?:SSL|TLS)_/.test(error.code ?? '');
  if (!socket.writable || hasNoTls || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error.code);
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${REASONS[refusal.status] ?? 'Error'}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\nX-Request-Id: ${randomUUIDv7()}\r\n\r\n${body}`,
  );
}

const REASONS: Readonly<Record<number, string>> = {
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
