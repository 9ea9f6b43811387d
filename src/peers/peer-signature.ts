import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header in which a call between gateways is signed. */
export const signatureHeader = 'gatehouse-peer';

export interface SignedCall {
  /** The gateway that is called: what one was asked cannot be asked of another. */
  readonly gatewayId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

export function signCall(secret: string, { gatewayId, method, path, query }: SignedCall): string {
  const words = ['call between gateways', gatewayId, method, path, query].join('\n');
  return createHmac('sha256', secret).update(words).digest('base64url');
}

/** Of the one who was called: only who knows the secret can answer. */
export function signAnswer(secret: string, call: SignedCall): string {
  return signCall(secret, { ...call, method: `answer to ${call.method}` });
}

export function isSigned(secret: string, call: SignedCall, signature: string): boolean {
  const expected = Buffer.from(signCall(secret, call));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
