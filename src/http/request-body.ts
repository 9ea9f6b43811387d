import type { IncomingHttpHeaders } from 'node:http';
import type { Cancellation } from '#vocabulary/cancellation';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';

/** Where a body comes from: it stops coming while nobody wants it. */
export interface BodySource {
  /** Asks for it, where the caller waits to be asked. */
  invite(): void;
  pauseReading(): void;
  resumeReading(): void;
}

/** A body that nobody has asked for yet is kept up to here, and left to wait in the caller's hands from there on. */
const maxEarlyBytes = 64 * 1024;

/** The body of one request: kept until somebody reads it, or dropped. */
export class RequestBody {
  readonly #source: BodySource;
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #reader: BodyReader | undefined;
  #isUnwanted = false;
  isComplete = false;

  constructor(source: BodySource) {
    this.#source = source;
  }

  arrived(piece: Buffer): void {
    if (this.#isUnwanted) return;
    if (this.#reader !== undefined) {
      this.#reader.take(piece);
      return;
    }
    this.#early.push(piece);
    this.#earlyBytes += piece.length;
    if (this.#earlyBytes >= maxEarlyBytes) this.#source.pauseReading();
  }

  ended(): void {
    this.isComplete = true;
    this.#reader?.end();
  }

  /** What is still to come is read away: whoever is sending sees the answer only when all is sent. */
  discard(): void {
    this.#isUnwanted = true;
    this.#early = [];
    if (!this.isComplete) this.#source.resumeReading();
  }

  /**
   * Reads it within its limit and the memory there is. Refuses before reading where the headers already tell. Too slow
   * a sender is the server's own time limit to cut; a sender who goes away rejects the promise.
   */
  async read(
    headers: IncomingHttpHeaders,
    cancellation: Cancellation,
    memory: MemoryShare,
    { maxBytes, mediaType }: { readonly maxBytes: number; readonly mediaType: MediaType },
  ): Promise<Buffer> {
    refuseForeignType(headers['content-type'], headers['content-encoding'], mediaType);
    const declared = headers['content-length'];
    const expectedBytes = declared === undefined ? undefined : Number(declared);
    if (expectedBytes !== undefined && expectedBytes > maxBytes) throw tooLarge(maxBytes);
    const body = new ArrivingBody(memory, expectedBytes, maxBytes);
    const early = this.#early;
    this.#early = [];
    for (const piece of early) body.add(piece);
    if (this.isComplete) return body.whole();
    return await new Promise((resolve, reject) => {
      this.#reader = {
        take: (piece) => {
          try {
            body.add(piece);
          } catch (refusal) {
            this.#isUnwanted = true;
            reject(refusal);
          }
        },
        end: () => resolve(body.whole()),
      };
      cancellation.onCancel(() => {
        if (!this.isComplete)
          reject(new Refusal('request_timeout', 'The connection closed before the whole body had arrived.'));
      });
      this.#source.invite();
      this.#source.resumeReading();
    });
  }
}

interface BodyReader {
  take(piece: Buffer): void;
  end(): void;
}

/**
 * Keeps what has arrived in one piece of memory, so that a body is never there twice. It grows as the body does: at
 * once to the length that was announced once an eighth of it is here, so that whoever announces much and sends little
 * holds little. A body that comes in one chunk is that chunk.
 */
class ArrivingBody {
  readonly #memory: MemoryShare;
  readonly #mostBytes: number;
  readonly #maxBytes: number;
  readonly #growth: number;
  #kept: Buffer = Buffer.alloc(0);
  bytes = 0;

  constructor(memory: MemoryShare, expectedBytes: number | undefined, maxBytes: number) {
    this.#memory = memory;
    this.#maxBytes = maxBytes;
    this.#mostBytes = expectedBytes ?? maxBytes;
    this.#growth = expectedBytes === undefined ? 2 : 8;
  }

  /** What it refuses to keep, it keeps nothing of. */
  add(chunk: Buffer): void {
    try {
      if (this.bytes + chunk.length > this.#maxBytes) throw tooLarge(this.#maxBytes);
      this.#keep(chunk);
    } catch (refusal) {
      this.#forget();
      throw refusal;
    }
  }

  whole(): Buffer {
    return this.#kept.subarray(0, this.bytes);
  }

  #keep(chunk: Buffer): void {
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

  #forget(): void {
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
    giveBackBody(outgrown);
  }
}

/**
 * Frees memory that nobody looks at any more at once. Left to the collector it would count until the next collection,
 * and large prompts, which are little else than such memory, would cause one full collection after another.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * The same for a body that came behind its head in one read, with nothing behind it: the head has been read. Small ones
 * are left alone, because they may share their memory with others.
 */
export function giveBackBody(body: Buffer): void {
  const { buffer, byteOffset, byteLength } = body;
  const isLast = byteOffset + byteLength === buffer.byteLength && byteLength >= Buffer.poolSize / 2;
  if (buffer instanceof ArrayBuffer && isLast) buffer.transfer(0);
  else giveBack(body);
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
