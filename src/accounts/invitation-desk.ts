import type { InvitationRecord, InvitationStore } from '#vocabulary/account-stores';
import type { InvitationDesk, PeopleDesk } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import type { PeopleStore } from '#vocabulary/stores';
import { digestOf, mintSecretToken } from './secret-token.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

export function createInvitationDesk(needs: {
  readonly store: InvitationStore;
  readonly people: PeopleStore;
  readonly peopleDesk: PeopleDesk;
  readonly sessions: OpeningSessionDesk;
  readonly clock: Clock;
  readonly publicUrl: () => string;
}): InvitationDesk {
  const { store, people, peopleDesk, sessions, clock } = needs;

  return {
    async create({ email, role, invitedBy, lifetimeMs }) {
      const token = mintSecretToken();
      const createdAt = clock.wallMs();
      const invitation: InvitationRecord = {
        id: mintId('invitation'),
        tokenDigest: digestOf(token),
        email,
        role,
        invitedBy,
        createdAt,
        expiresAt: createdAt + lifetimeMs,
        acceptedAt: undefined,
        revokedAt: undefined,
      };
      await store.insert(invitation);
      return { invitation, url: `${needs.publicUrl()}/invitation#${token}` };
    },
    list: () => store.list(),
    revoke: (invitationId) => store.revoke(invitationId, clock.wallMs()),
    preview: findOpen,
    async accept(token, newcomer, entrance) {
      const invitation = await findOpen(token);
      if (invitation.email !== undefined && invitation.email.toLowerCase() !== newcomer.email.toLowerCase()) {
        throw new Refusal(
          'invalid_parameter',
          `This invitation is for ${invitation.email}. Use that address.`,
          {
            param: 'email',
          },
        );
      }
      if ((await people.findByEmail(newcomer.email)) !== undefined) {
        throw new Refusal(
          'conflict',
          'There is an account with this e-mail address already. Sign in instead.',
          {
            param: 'email',
          },
        );
      }
      if (!(await store.accept(invitation.id, clock.wallMs()))) throw gone();
      const person = await peopleDesk.create({ ...newcomer, role: invitation.role });
      return sessions.open(person, entrance, { method: 'invitation' });
    },
  };

  async function findOpen(token: string): Promise<InvitationRecord> {
    const invitation = await store.findByTokenDigest(digestOf(token));
    const isOpen =
      invitation !== undefined &&
      invitation.acceptedAt === undefined &&
      invitation.revokedAt === undefined &&
      invitation.expiresAt > clock.wallMs();
    if (!isOpen) throw gone();
    return invitation;
  }
}

function gone(): Refusal {
  return new Refusal(
    'not_found',
    'This invitation was used before, withdrawn or has run out. Ask for a new one.',
  );
}
