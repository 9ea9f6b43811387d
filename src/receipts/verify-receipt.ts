import { createPublicKey, verify } from 'node:crypto';
import { signedReceipt, type SignedReceipt } from '#contract/receipts';
import { isObject } from '#dialects/json-object';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { canonicalJson } from './canonical-json.ts';
import { thumbprint } from './signing-key.ts';

/** The receipt in a text, whatever its form; throws an `OperatorProblem` when there is none. */
export function readReceipt(text: string): SignedReceipt {
  const found = signedReceipt.safeParse(parse(text));
  if (!found.success)
    throw new OperatorProblem('This is no receipt of this service, or one of a newer form.');
  // As it was written, also what this version does not know: the signature covers all of it.
  return parse(text) as SignedReceipt;
}

/** Undefined when the signature holds, else what is wrong. */
export function verifyReceipt(
  { receipt, signature }: SignedReceipt,
  keys: readonly { readonly x: string }[],
): string | undefined {
  const key = keys.find((candidate) => thumbprint(candidate) === signature.key_id);
  if (key === undefined) return `It was signed with the key ${signature.key_id}, which is not the given one.`;
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' });
  const signed = Buffer.from(canonicalJson(receipt));
  return verify(null, signed, publicKey, Buffer.from(signature.value, 'base64url'))
    ? undefined
    : 'The signature does not fit: something in the receipt was changed after it was signed.';
}

/** From what the service publishes, from one key of it, or from a PEM file. */
export function readPublicKeys(text: string): readonly { readonly x: string }[] {
  if (text.includes('-----BEGIN')) return [jwkOf(text)];
  const value = parse(text);
  const listed: unknown = isObject(value) && Array.isArray(value['keys']) ? value['keys'] : [value];
  const keys = (listed as unknown[]).flatMap((key) =>
    isObject(key) && key['crv'] === 'Ed25519' && typeof key['x'] === 'string' ? [{ x: key['x'] }] : [],
  );
  if (keys.length === 0) throw new OperatorProblem('There is no Ed25519 public key in it.');
  return keys;
}

function jwkOf(pem: string): { readonly x: string } {
  try {
    const { x, crv } = createPublicKey(pem).export({ format: 'jwk' });
    if (crv === 'Ed25519' && x !== undefined) return { x };
  } catch {
    // Not a key at all: the same sentence.
  }
  throw new OperatorProblem('There is no Ed25519 public key in it.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new OperatorProblem('This is not JSON.');
  }
}
