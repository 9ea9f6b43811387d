import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Exchange } from '#vocabulary/exchange';
import type { FileAnswer } from './call.ts';

const compress = promisify(gzip);
/** Below this a smaller body saves nothing; answers with secrets in them are all below it. */
const worthCompressingBytes = 16_384;
const paceBytes = 64 * 1024;

export async function sendJson(exchange: Exchange, body: unknown, headers: readonly string[]): Promise<void> {
  const plain = Buffer.from(JSON.stringify(body));
  const acceptsGzip = /\bgzip\b/.test(exchange.headers['accept-encoding'] ?? '');
  const isCompressed = acceptsGzip && plain.length >= worthCompressingBytes;
  const bytes = isCompressed ? await compress(plain, { level: 4 }) : plain;
  if (exchange.cancellation.isCancelled) return;
  exchange.reply.begin(200, [
    'content-type',
    'application/json',
    'content-length',
    String(bytes.length),
    ...(isCompressed ? ['content-encoding', 'gzip', 'vary', 'accept-encoding'] : []),
    ...headers,
  ]);
  await sendPaced(exchange, bytes);
}

/** At the pace of the reader: done when all but the last of it is taken. */
async function sendPaced(exchange: Exchange, bytes: Buffer): Promise<void> {
  const { reply, cancellation } = exchange;
  let sent = 0;
  for (; bytes.length - sent > paceBytes; sent += paceBytes) {
    if (!reply.write(bytes.subarray(sent, sent + paceBytes))) await drained(exchange);
    if (cancellation.isCancelled) return;
  }
  reply.end(bytes.subarray(sent));
}

export function sendRedirect(exchange: Exchange, location: string, headers: readonly string[]): void {
  exchange.reply.begin(302, [
    'location',
    location,
    'content-length',
    '0',
    'referrer-policy',
    'no-referrer',
    ...headers,
  ]);
  exchange.reply.end();
}

/** Piece by piece, at the pace of the reader. */
export async function sendFile(
  exchange: Exchange,
  file: FileAnswer,
  headers: readonly string[],
): Promise<void> {
  const { reply, cancellation } = exchange;
  const begin = () =>
    reply.begin(200, [
      'content-type',
      file.contentType,
      'content-disposition',
      `attachment; filename="${plainName(file.fileName)}"; filename*=UTF-8''${encodeURIComponent(file.fileName.toWellFormed())}`,
      ...headers,
    ]);
  if (typeof file.content === 'string') {
    begin();
    reply.end(file.content);
    return;
  }
  for await (const piece of file.content) {
    if (cancellation.isCancelled) return;
    // Begun with the first piece, so that a refusal can still be an answer of its own.
    if (!reply.hasBegun) begin();
    const bytes =
      typeof piece === 'string' ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    if (!reply.write(bytes)) await drained(exchange);
  }
  if (cancellation.isCancelled) return;
  if (!reply.hasBegun) begin();
  reply.end();
}

function drained({ reply, cancellation }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    const forget = cancellation.onCancel(() => resolve());
    reply.onDrain(() => {
      forget();
      resolve();
    });
  });
}

function plainName(name: string): string {
  return name.replace(/[^\w .-]/g, '_').slice(0, 100);
}
