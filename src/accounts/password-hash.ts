import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Refusal } from '#vocabulary/refusal';

/** 32 MiB and some tenths of a second per hash: slow for a thief, bearable for a person. */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;

/** Hashes that run at the same time, and that may wait; more than that is refused rather than piled up. */
const maxRunning = 2;
const maxWaiting = 64;

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes the same time when there is nothing to compare with. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

/** `scrypt$N$r$p$salt$key`, so that the cost can be raised without locking anybody out. */
export function createPasswordHasher(): PasswordHasher {
  const waiting: (() => void)[] = [];
  let running = 0;
  const nobody = `scrypt$${cost.N}$${cost.r}$${cost.p}$${randomBytes(16).toString('base64url')}$${randomBytes(keyBytes).toString('base64url')}`;

  return {
    async hash(password) {
      const salt = randomBytes(16);
      const key = await takeTurn(() => derive(password, salt, cost));
      return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
    },
    async verify(password, stored) {
      const [name, n, r, p, salt = '', expected = ''] = (stored ?? nobody).split('$');
      if (name !== 'scrypt') return false;
      const options = { N: Number(n), r: Number(r), p: Number(p), maxmem: cost.maxmem };
      const key = await takeTurn(() => derive(password, Buffer.from(salt, 'base64url'), options));
      const wanted = Buffer.from(expected, 'base64url');
      return stored !== undefined && wanted.length === key.length && timingSafeEqual(wanted, key);
    },
  };

  async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) {
        throw new Refusal(
          'rate_limit_exceeded',
          'Too many people are signing in at this moment. Try again shortly.',
          {
            retryAfterSeconds: 5,
          },
        );
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  }
}

function derive(password: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
