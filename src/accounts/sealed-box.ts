import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What lies in foreign hands: encrypted, and known as ours when it comes back. */
export interface SealedBox<Content> {
  seal(content: Content): string;
  /** Undefined for anything that was not sealed with this key. */
  open(sealed: string): Content | undefined;
}

const maxSealedBytes = 16_384;

export function createSealedBox<Content>(key: Buffer): SealedBox<Content> {
  return {
    seal(content) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const text = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < 29 || bytes.length > maxSealedBytes) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as Content;
      } catch {
        return undefined;
      }
    },
  };
}

/** A key that lasts as long as the secret it is made from. */
export function keyFromSecret(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}
