import type { InvitationRecord } from './account-stores.ts';

export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired';

export function invitationState(
  { acceptedAt, revokedAt, expiresAt }: InvitationRecord,
  now: number,
): InvitationState {
  if (acceptedAt !== undefined) return 'accepted';
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
}

/** Whoever sends gives up before this; a gateway that was killed never says so. */
const longestLetterMs = 30 * 60_000;

export function letterOfInvitation(
  { letter, createdAt }: InvitationRecord,
  now: number,
): 'waiting' | 'sent' | 'failed' | null {
  return letter === 'waiting' && now - createdAt > longestLetterMs ? 'failed' : (letter ?? null);
}
