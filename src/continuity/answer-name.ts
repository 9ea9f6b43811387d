import { createHash } from 'node:crypto';

/**
 * The id of an answer that its caller has named: before it is asked for, so that it is known whatever dies. A name
 * belongs to a key; nobody can guess, take or occupy another one's.
 */
export function namedAnswerId(keyId: string, name: string): string {
  return `named-${createHash('sha256').update(`${keyId}\n${name}`).digest('base64url')}`;
}

/** What was asked under a name: who asks something else under it is mistaken. */
export function questionDigest(asked: string, body: Buffer): string {
  return createHash('sha256').update(`${asked}\n`).update(body).digest('base64url');
}
