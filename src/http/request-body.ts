import type { IncomingMessage } from 'node:http';
import type { Cancellation } from '#vocabulary/cancellation';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';

/**
 * Reads a body within its limit and the memory there is. Refuses before reading where the headers already
 * tell. Too slow a sender is the server's own time limit to cut; a sender who goes away rejects the promise.
 */
export async function readRequestBody(
  request: IncomingMessage,
  cancellation: Cancellation,
  memory: MemoryShare,
  { maxBytes, mediaType }: { readonly maxBytes: number; readonly mediaType: MediaType },
): Promise<Buffer> {
  const headers = request.headers;
  refuseForeignType(headers['content-type'], headers['content-encoding'], mediaType);
  const declared = headers['content-length'];
  const expectedBytes = declared === undefined ? undefined : Number(declared);
  if (expectedBytes !== undefined && expectedBytes > maxBytes) throw tooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(memory, expectedBytes, maxBytes);
    request.on('data', (chunk: Buffer) => {
      try {
        if (body.bytes + chunk.length > maxBytes) throw tooLarge(maxBytes);
        body.add(chunk);
      } catch (refusal) {
        body.forget();
        request.removeAllListeners('data');
        reject(refusal);
      }
    });
    request.on('end', () => resolve(body.whole()));
    cancellation.onCancel(() => {
      if (!request.complete)
        reject(new Refusal('request_timeout', 'The connection closed before the whole body had arrived.'));
    });
  });
}

/**
 * Keeps what has arrived in one piece of memory, so that a body is never there twice. It grows as the body does: at
 * once to the length that was announced once an eighth of it is here, so that whoever announces much and sends little
 * holds little. A body that comes in one chunk is that chunk.
 */
class ArrivingBody {
  readonly #memory: MemoryShare;
  readonly #mostBytes: number;
  readonly #growth: number;
  #kept: Buffer = Buffer.alloc(0);
  bytes = 0;

  constructor(memory: MemoryShare, expectedBytes: number | undefined, maxBytes: number) {
    this.#memory = memory;
    this.#mostBytes = expectedBytes ?? maxBytes;
    this.#growth = expectedBytes === undefined ? 2 : 8;
  }

  add(chunk: Buffer): void {
    const arrivedBytes = chunk.length;
    if (this.bytes === 0) {
      this.#memory.takeForRequest(arrivedBytes);
      this.#kept = chunk;
    } else {
      this.#makeRoom(this.bytes + arrivedBytes);
      chunk.copy(this.#kept, this.bytes);
      giveBack(chunk);
    }
    this.bytes += arrivedBytes;
  }

  whole(): Buffer {
    return this.#kept.subarray(0, this.bytes);
  }

  forget(): void {
    this.#memory.give(this.#kept.length);
    this.#kept = Buffer.alloc(0);
    this.bytes = 0;
  }

  #makeRoom(neededBytes: number): void {
    if (neededBytes <= this.#kept.length) return;
    const roomBytes = Math.max(neededBytes, Math.min(this.#mostBytes, neededBytes * this.#growth));
    this.#memory.takeForRequest(roomBytes - this.#kept.length);
    const outgrown = this.#kept;
    this.#kept = Buffer.allocUnsafeSlow(roomBytes);
    outgrown.copy(this.#kept, 0, 0, this.bytes);
    giveBack(outgrown);
  }
}

/**
 * Frees memory that nobody looks at any more at once. Left to the collector it would count until the next collection,
 * and large prompts, which are little else than such memory, would cause one full collection after another.
 */
export function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

type MediaType = 'application/json' | 'application/octet-stream';

function refuseForeignType(
  contentType: string | undefined,
  contentEncoding: string | undefined,
  mediaType: MediaType,
): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new Refusal(
      'unsupported_media_type',
      'Send the body uncompressed: Content-Encoding is not supported.',
    );
  }
  if (mediaType === 'application/octet-stream') {
    if (contentType === mediaType) return;
    throw new Refusal(
      'unsupported_media_type',
      'Send the bytes as they are, with the header Content-Type: application/octet-stream.',
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

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(
    'request_too_large',
    `The request body is larger than ${maxBytes} bytes, the limit of this address. Send less, or ask the operators about limits.maxBody.`,
  );
}
