import { createHash, hash, type Hash } from 'node:crypto';
import type { DigestOf } from '#vocabulary/receipts';

const roomBytes = 4096;
/** Below it, copying byte by byte is faster than calling for a copy. */
const shortBytes = 48;
const backslash = 0x5c;

/**
 * SHA-256 of a text that comes in pieces, as they stand in JSON. Pieces are gathered, because handing each one over
 * costs more than counting it; most texts are counted in one go.
 */
export class TextDigest {
  #gathered = Buffer.allocUnsafe(512);
  #length = 0;
  #bytes = 0;
  #hash: Hash | undefined;
  /** The first half of a character that a frame may have cut in two. */
  #half = '';

  /** The inside of a JSON string, between its quotes. */
  addEscaped(bytes: Buffer, start: number, end: number): void {
    if (this.#half === '' && !hasEscape(bytes, start, end)) this.#gather(bytes, start, end);
    else this.addText(unescaped(bytes.toString('utf8', start, end)));
  }

  addText(piece: string): void {
    const text = this.#half + piece;
    const isCut = /[\uD800-\uDBFF]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    const whole = Buffer.from(isCut ? text.slice(0, -1) : text);
    this.#gather(whole, 0, whole.length);
  }

  read(): DigestOf {
    if (this.#half !== '') this.#gather(Buffer.from('\uFFFD'), 0, 3);
    this.#half = '';
    const rest = this.#gathered.subarray(0, this.#length);
    const sha256 = this.#hash === undefined ? hash('sha256', rest) : this.#hash.update(rest).digest('hex');
    return { sha256, bytes: this.#bytes };
  }

  #gather(bytes: Buffer, start: number, end: number): void {
    const more = end - start;
    this.#bytes += more;
    if (this.#length + more > this.#gathered.length) this.#makeRoom(more);
    const gathered = this.#gathered;
    if (this.#length + more > gathered.length) {
      this.#hash?.update(bytes.subarray(start, end));
      return;
    }
    if (more > shortBytes) bytes.copy(gathered, this.#length, start, end);
    else for (let at = start, to = this.#length; at < end; at++, to++) gathered[to] = bytes[at] ?? 0;
    this.#length += more;
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= roomBytes) {
      const larger = Buffer.allocUnsafe(roomBytes);
      this.#gathered.copy(larger, 0, 0, this.#length);
      this.#gathered = larger;
      return;
    }
    this.#hash ??= createHash('sha256');
    this.#hash.update(this.#gathered.subarray(0, this.#length));
    this.#length = 0;
  }
}

function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return true;
  return false;
}

function unescaped(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return inside;
  }
}
