import type { SignInLinkStore } from '#vocabulary/account-stores';
import type { AuditTrail } from '#vocabulary/audit';
import type { Device, Entrance, SignInDesk } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { Postman } from '#vocabulary/mail';
import { Refusal } from '#vocabulary/refusal';
import type { PeopleStore, Person } from '#vocabulary/stores';
import type { AttemptBrake } from './attempt-brake.ts';
import type { PasswordHasher } from './password-hash.ts';
import { digestOf, mintSecretToken } from './secret-token.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

const linkLifetimeMs = 15 * 60_000;
/** Nobody's mailbox is filled by somebody else's clicks. */
const betweenLettersMs = 2 * 60_000;

export function createSignInDesk(needs: {
  readonly people: PeopleStore;
  readonly links: SignInLinkStore;
  readonly sessions: OpeningSessionDesk;
  readonly hasher: PasswordHasher;
  readonly brake: AttemptBrake;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly hasLocalAccounts: boolean;
  readonly publicUrl: () => string;
  readonly postman: Postman | undefined;
  readonly logger: Logger;
}): SignInDesk {
  const { people, links, sessions, hasher, brake, audit, clock, postman } = needs;
  const writtenAt = new Map<string, number>();

  const desk: SignInDesk = {
    async withPassword(email, password, entrance) {
      refuseWithoutLocalAccounts();
      const account = email.trim().toLowerCase();
      brake.check(account, entrance.device.address);
      // Counted before the slow part, so that many guesses at once do not all pass the check.
      brake.noteFailure(account, entrance.device.address);
      const person = await people.findByEmail(account);
      const stored = person === undefined ? undefined : await people.readPasswordHash(person.id);
      const isRight = await hasher.verify(password, stored);
      if (person === undefined || !isRight) {
        audit.noteFailedSignIn(person?.id, entrance.device);
        throw new Refusal(
          'sign_in_required',
          'The e-mail address or the password is not right. Check both and try again.',
        );
      }
      brake.noteSuccess(account, entrance.device.address);
      letIn(person, entrance);
      return sessions.signIn(person, entrance, { method: 'password' });
    },

    async withLink(linkToken, entrance) {
      refuseWithoutLocalAccounts();
      const link = await links.take(digestOf(linkToken), clock.wallMs());
      const person = link === undefined ? undefined : await people.find(link.personId);
      if (link === undefined || person === undefined) {
        audit.noteFailedSignIn(undefined, entrance.device);
        throw new Refusal(
          'sign_in_required',
          'This sign-in link was used before or has run out. Ask for a new one.',
        );
      }
      letIn(person, entrance);
      return sessions.signIn(person, entrance, { method: 'link' }, link.madeBy);
    },

    async changePassword(session, current, next, entrance) {
      refuseWithoutLocalAccounts();
      const { person } = session;
      refuseManaged(person);
      const stored = await people.readPasswordHash(person.id);
      if (stored !== undefined) {
        const account = person.email.toLowerCase();
        brake.check(account, entrance.device.address);
        brake.noteFailure(account, entrance.device.address);
        if (current === undefined || !(await hasher.verify(current, stored))) {
          throw new Refusal('invalid_parameter', 'The current password is not right.', { param: 'current' });
        }
        brake.noteSuccess(account, entrance.device.address);
      }
      await people.update(person.id, { passwordHash: await hasher.hash(next) });
      await sessions.clear(person.id);
      const by = { kind: 'person', personId: person.id, device: entrance.device } as const;
      const signedIn = await sessions.open(person, entrance, { method: 'password' });
      // Told wherever the person is, or comes, but not where they just did it.
      const detail = { session: signedIn.session.id };
      await audit.note({ kind: 'password-changed', by, personId: person.id, detail });
      return signedIn;
    },

    sendLink(email, device) {
      refuseWithoutLocalAccounts();
      if (postman === undefined)
        throw new Refusal('not_found', 'This service sends no e-mail. Ask its operators for a sign-in link.');
      const account = email.trim().toLowerCase();
      brake.check(`letters to ${account}`, device.address);
      brake.noteFailure(`letters to ${account}`, device.address);
      // Not awaited: how long it takes would tell who has an account.
      writeLink(postman, account, device).catch((error: unknown) => {
        needs.logger.error({ error }, 'a sign-in link that somebody asked for could not be made');
      });
    },

    async createOneTimeLink(personId, by) {
      refuseWithoutLocalAccounts();
      const person = await people.find(personId);
      if (person !== undefined) refuseManaged(person);
      const token = mintSecretToken();
      const createdAt = clock.wallMs();
      const expiresAt = createdAt + linkLifetimeMs;
      const madeBy = by.kind === 'person' ? by.personId : by.kind === 'command' ? by.user : '';
      await links.insert({ tokenDigest: digestOf(token), personId, createdAt, expiresAt, madeBy });
      await audit.note({ kind: 'sign-in-link-created', by, personId });
      return { url: `${needs.publicUrl()}/sign-in#link=${token}`, expiresAt };
    },
  };
  return desk;

  async function writeLink({ sendSignInLink }: Postman, account: string, device: Device): Promise<void> {
    const person = await people.findByEmail(account);
    if (person === undefined || person.state !== 'active' || person.managedBy !== undefined) return;
    const now = clock.monotonicMs();
    for (const [id, at] of writtenAt) if (now - at > betweenLettersMs) writtenAt.delete(id);
    if (writtenAt.has(person.id)) return;
    writtenAt.set(person.id, now);
    const link = await desk.createOneTimeLink(person.id, { kind: 'stranger', device });
    if ((await sendSignInLink({ to: person.email, ...link })) === 'failed') writtenAt.delete(person.id);
  }

  function letIn(person: Person, { device }: Entrance): void {
    if (person.state !== 'active') audit.noteFailedSignIn(person.id, device);
    refuseInactive(person);
  }

  function refuseWithoutLocalAccounts(): void {
    if (needs.hasLocalAccounts) return;
    throw new Refusal(
      'permission_denied',
      'This service has no accounts of its own (signIn.localAccounts is off), so there are neither passwords nor sign-in links. Sign in with your organisation.',
    );
  }
}

/** Whom a provider vouches for has no way in past the provider. */
function refuseManaged(person: Person): void {
  if (person.managedBy === undefined) return;
  throw new Refusal(
    'conflict',
    'An identity provider vouches for this account, so it has neither a password nor sign-in links here.',
  );
}

function refuseInactive(person: Person): void {
  if (person.state === 'withdrawn') {
    throw new Refusal(
      'permission_denied',
      'The identity provider of this account no longer vouches for it. Sign in there again.',
    );
  }
  if (person.state === 'disabled') {
    throw new Refusal(
      'permission_denied',
      'This account is disabled. Ask the operators of this service to enable it.',
    );
  }
  if (person.state === 'pending') {
    throw new Refusal('permission_denied', 'This account waits for an administrator to let it in.');
  }
}
