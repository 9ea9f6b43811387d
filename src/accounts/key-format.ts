import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `gh_`, 43 random letters and digits (256 bits), then six more that are a checksum of everything before them.
 * Scanners can tell a real key from an accident, and a mistyped key is refused without looking anything up.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const mark = 'gh_';
const randomLength = 43;
const checksumLength = 6;
const bodyLength = mark.length + randomLength;
const shownLength = mark.length + 6;

export const keyLength = bodyLength + checksumLength;

const pattern = new RegExp(`^${mark}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

export interface MintedSecret {
  readonly secret: string;
  readonly prefix: string;
  readonly digest: string;
}

export function mintSecret(): MintedSecret {
  const body = mark + randomLetters(randomLength);
  const secret = body + checksumOf(body);
  return { secret, prefix: secret.slice(0, shownLength), digest: digestOf(secret) };
}

/** Constant work, whatever it is given: the length is looked at first. */
export function isWellFormed(candidate: string): boolean {
  if (candidate.length !== keyLength || !pattern.test(candidate)) return false;
  return checksumOf(candidate.slice(0, bodyLength)) === candidate.slice(bodyLength);
}

/** SHA-256 in hexadecimal. The secret has 256 random bits, so a slow hash would protect nothing. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function randomLetters(count: number): string {
  let letters = '';
  while (letters.length < count) {
    for (const byte of randomBytes(count)) {
      // 248 is the largest multiple of 62 in a byte; taking more would favour some letters.
      if (byte < 248 && letters.length < count) letters += alphabet.charAt(byte % 62);
    }
  }
  return letters;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let letters = '';
  for (let position = 0; position < checksumLength; position += 1) {
    letters = alphabet.charAt(rest % 62) + letters;
    rest = Math.floor(rest / 62);
  }
  return letters;
}
