import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';

/** The key with which a service signs its receipts. */
export interface SigningKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly id: string;
  readonly publicKey: PublicKey;
  sign(bytes: Buffer): string;
}

/** A JSON web key (RFC 8037). */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const envelopeOfKey = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Made from the secret of the service, so that every gateway has it, it survives restarts, copies and backups, and
 * nothing more has to be kept.
 */
export function createSigningKey(secret: string): SigningKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse receipts', 32));
  const privateKey = createPrivateKey({
    key: Buffer.concat([envelopeOfKey, bytes]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }) as unknown as PublicKey;
  return {
    id: thumbprint(publicKey),
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: publicKey.x },
    sign: (signed) => sign(null, signed, privateKey).toString('base64url'),
  };
}

export function thumbprint({ x }: Pick<PublicKey, 'x'>): string {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return createHash('sha256').update(members).digest('base64url');
}
