import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';

/**
 * What must be remembered between leaving for a provider and coming back. The browser keeps it, sealed: the server
 * has no list that strangers could fill. The seal's key is made at each start, so a sign-in that was under way
 * during a restart has to be begun again.
 */
export interface Transaction {
  readonly providerId: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
  readonly previousToken: string | undefined;
  /** Set when somebody who is signed in adds this provider to their account. */
  readonly connects: { readonly personId: string; readonly sessionId: string } | undefined;
  readonly expiresAt: number;
}

const lifetimeMs = 15 * 60_000;

export function newTransaction(
  leaving: Pick<Transaction, 'providerId' | 'returnTo' | 'previousToken' | 'connects'>,
  now: number,
): Transaction {
  return {
    ...leaving,
    state: randomState(),
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
    returnTo: ownPath(leaving.returnTo),
    expiresAt: now + lifetimeMs,
  };
}

/** A path of this service; anything that could lead elsewhere becomes the front page. */
function ownPath(returnTo: string): string {
  return /^\/(?![/\\])[\w\-./~%?&=#]*$/.test(returnTo) ? returnTo : '/';
}
