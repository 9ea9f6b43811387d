/**
 * Some engines stamp every chunk with the time at which it was made; clients may take it for the time of the answer.
 * Overwrites the digits where they stand: no text of a model can look like this key.
 */
export class CreatedPin {
  #digits: Buffer | undefined;

  pin(frames: Buffer): void {
    for (let at = frames.indexOf(key); at >= 0; at = frames.indexOf(key, at + key.length)) {
      const start = at + key.length;
      const digits = frames.subarray(start, start + digitCount);
      if (this.#digits === undefined) this.#digits = Buffer.from(digits);
      else if (isNumber(digits) && isNumber(this.#digits)) this.#digits.copy(digits);
    }
  }
}

const key = Buffer.from('"created":');
/** Seconds since 1970, until the year 2286. */
const digitCount = 10;

function isNumber(bytes: Buffer): boolean {
  return bytes.length === digitCount && bytes.every((byte) => byte >= 0x30 && byte <= 0x39);
}
