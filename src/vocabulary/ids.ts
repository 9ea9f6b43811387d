import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** `key_7f3k…`: what it names, then 80 random bits in letters that are hard to confuse. */
export function mintId(kind: string): string {
  let id = `${kind}_`;
  for (const byte of randomBytes(16)) id += alphabet.charAt(byte & 31);
  return id;
}
