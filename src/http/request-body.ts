import type { IncomingMessage } from 'node:http';
import type { Cancellation } from '#vocabulary/cancellation';
import { Refusal } from '#vocabulary/refusal';

/**
 * Reads a JSON body within its limit. Refuses before reading where the headers already tell. Too slow a sender is
 * the server's own time limit to cut; a sender who goes away rejects the promise.
 */
export async function readRequestBody(
  request: IncomingMessage,
  cancellation: Cancellation,
  maxBodyBytes: number,
): Promise<Buffer> {
  const headers = request.headers;
  refuseForeignType(headers['content-type'], headers['content-encoding']);
  const declared = headers['content-length'];
  if (declared !== undefined && Number(declared) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) {
        chunks.length = 0;
        request.removeAllListeners('data');
        reject(tooLarge(maxBodyBytes));
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes));
    });
    cancellation.onCancel(() => {
      if (!request.complete)
        reject(new Refusal('request_timeout', 'The connection closed before the whole body had arrived.'));
    });
  });
}

function refuseForeignType(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new Refusal(
      'unsupported_media_type',
      'Send the body uncompressed: Content-Encoding is not supported.',
    );
  }
  if (contentType === undefined || contentType === 'application/json') return;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const isJson = type.trim() === 'application/json';
  const isUtf8 = parameters.every((parameter) => {
    const [name, value = ''] = parameter.trim().split('=');
    return name !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
  });
  if (isJson && isUtf8) return;
  throw new Refusal(
    'unsupported_media_type',
    `Send the body as JSON in UTF-8, with the header Content-Type: application/json (it was ${JSON.stringify(contentType.slice(0, 80))}).`,
  );
}

function tooLarge(maxBodyBytes: number): Refusal {
  return new Refusal(
    'request_too_large',
    `The request body is larger than ${maxBodyBytes} bytes, the limit of this service. Send less text, or ask the operators to raise limits.maxBody.`,
  );
}
