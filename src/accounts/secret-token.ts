import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits for a cookie or a link; the database keeps the digest alone. */
export function mintSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
