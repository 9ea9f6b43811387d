import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What must be remembered between leaving for a provider and coming back. */
export interface Transaction {
  readonly providerId: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
  readonly previousToken: string | undefined;
  readonly expiresAt: number;
}

export interface TransactionSeal {
  seal(transaction: Transaction): string;
  /** Undefined for anything that was not sealed here. */
  open(sealed: string): Transaction | undefined;
}

/**
 * The browser keeps the transaction, encrypted: the server has no list that strangers could fill. The key is made
 * at each start, so a sign-in that was under way during a restart has to be begun again.
 */
export function createTransactionSeal(key: Buffer = randomBytes(32)): TransactionSeal {
  return {
    seal(transaction) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const text = Buffer.concat([cipher.update(JSON.stringify(transaction), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < 29 || bytes.length > 4000) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as Transaction;
      } catch {
        return undefined;
      }
    },
  };
}
