import type { InvitationRecord, InvitationStore } from '#vocabulary/account-stores';
import type { AuditTrail } from '#vocabulary/audit';
import type { InvitationDesk, JoinProjects } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { LetterFate, Postman } from '#vocabulary/mail';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import { newPerson } from './new-person.ts';
import type { PasswordHasher } from './password-hash.ts';
import { digestOf, mintSecretToken } from './secret-token.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

export function createInvitationDesk(needs: {
  readonly store: InvitationStore;
  readonly joinProjects: JoinProjects;
  readonly hasher: PasswordHasher;
  readonly sessions: OpeningSessionDesk;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly publicUrl: () => string;
  readonly postman: Postman | undefined;
  readonly logger: Logger;
}): InvitationDesk {
  const { store, hasher, sessions, audit, clock, postman } = needs;

  return {
    async create({ email, role, invitedBy, invitedByName, projects, lifetimeMs, by }) {
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
        projects,
        letter: email === undefined || postman === undefined ? undefined : 'waiting',
      };
      await store.insert(invitation);
      const detail = {
        invitation: invitation.id,
        role,
        ...(email !== undefined && { email }),
        ...(projects.length > 0 && { projects: projects.join(', ') }),
      };
      await audit.note({ kind: 'invitation-created', by, detail });
      const url = `${needs.publicUrl()}/invitation#${token}`;
      const { id, expiresAt } = invitation;
      const letter =
        email === undefined
          ? undefined
          : postman?.sendInvitation({ to: email, url, expiresAt, invitedBy: invitedByName });
      return { invitation, url, letter: letter?.then((fate) => noteLetter(id, fate)) };
    },
    list: () => store.list(),
    async revoke(invitationId, by) {
      const wasOpen = await store.revoke(invitationId, clock.wallMs());
      if (wasOpen) await audit.note({ kind: 'invitation-revoked', by, detail: { invitation: invitationId } });
      return wasOpen;
    },
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
      const person = newPerson({ ...newcomer, role: invitation.role }, clock.wallMs());
      const passwordHash = await hasher.hash(newcomer.password);
      if (!(await store.accept(invitation.id, { ...person, passwordHash }))) throw gone();
      const { id: personId, role } = person;
      const by = { kind: 'person', personId, device: entrance.device } as const;
      const detail = { invitation: invitation.id, invitedBy: invitation.invitedBy, role };
      await audit.note({ kind: 'invitation-used', by, personId, detail });
      await needs.joinProjects(personId, invitation.projects, by);
      return sessions.signIn(person, entrance, { method: 'invitation' });
    },
  };

  async function noteLetter(invitationId: string, fate: LetterFate): Promise<LetterFate> {
    try {
      await store.noteLetter(invitationId, fate);
    } catch (error) {
      needs.logger.warn({ error }, 'the list of invitations does not know whether a letter was sent');
    }
    return fate;
  }

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
