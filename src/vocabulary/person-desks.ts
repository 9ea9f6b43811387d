import type { InvitationRecord } from './account-stores.ts';
import type { Actor } from './audit.ts';
import type { LetterFate } from './mail.ts';
import type { Person, PersonRole } from './stores.ts';

/** What the room `accounts` does for the console and the command line. */
export interface PersonDesks {
  readonly signInWays: SignInWays;
  readonly sessions: SessionDesk;
  readonly signIn: SignInDesk;
  readonly providers: ProviderDesk;
  readonly invitations: InvitationDesk;
  readonly people: PeopleDesk;
  /**
   * Makes sure that somebody can run the service. With an address from the settings that person exists
   * afterwards; without one, and only while nobody exists, an operator is made. Returns a one-time link to
   * print while the operator has no other way in.
   */
  ensureFirstOperator(operator: {
    readonly email: string | undefined;
    readonly password: string | undefined;
  }): Promise<{ readonly url: string; readonly expiresAt: number } | undefined>;
}

export interface SignInWays {
  readonly password: boolean;
  /** Whoever forgot the password can have a sign-in link sent. */
  readonly sendsLinks: boolean;
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}

/** Where a request comes from, as the list of devices shows it. */
export interface Device {
  readonly address: string;
  readonly userAgent: string;
}

export interface Session {
  readonly id: string;
  readonly person: Person;
  /** `password`, `link`, `invitation`, or the name of a provider. */
  readonly method: string;
  readonly csrfToken: string;
  readonly expiresAt: number;
}

export interface SessionDescription extends Device {
  readonly id: string;
  readonly method: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** `token` goes into the cookie and is kept nowhere else. */
export interface SignedIn {
  readonly token: string;
  readonly session: Session;
}

/** Who signs in from where; a session that is already there ends, so that its id changes. */
export interface Entrance {
  readonly device: Device;
  readonly previousToken: string | undefined;
}

export interface SessionDesk {
  /** Undefined for unknown, ended and idle sessions and for people who are not active. */
  find(token: string, device: Device): Promise<Session | undefined>;
  /** Whether it would be a session if its owner were not disabled. */
  isOfDisabled(token: string): Promise<boolean>;
  list(personId: string): Promise<readonly SessionDescription[]>;
  end(personId: string, sessionId: string, by: Actor): Promise<boolean>;
  endAll(personId: string, by: Actor, exceptSessionId?: string): Promise<void>;
  /** Called when sessions end before their time, so that open event streams can close. */
  onEnded(listener: (ended: EndedSessions) => void): () => void;
}

export interface EndedSessions {
  readonly personId: string;
  /** Undefined: all of this person. */
  readonly sessionId: string | undefined;
}

export interface SignInDesk {
  withPassword(email: string, password: string, entrance: Entrance): Promise<SignedIn>;
  withLink(linkToken: string, entrance: Entrance): Promise<SignedIn>;
  /** Every other session of the person ends; this one gets a new token. */
  changePassword(
    session: Session,
    current: string | undefined,
    next: string,
    entrance: Entrance,
  ): Promise<SignedIn>;
  /** Sends such an address to this person, if there is one; tells nobody whether there is. */
  sendLink(email: string, device: Device): void;
  /** An address that signs this person in, once. */
  createOneTimeLink(
    personId: string,
    by: Actor,
  ): Promise<{ readonly url: string; readonly expiresAt: number }>;
}

export type SignInProblemCode =
  | 'provider_refused'
  | 'provider_unreachable'
  | 'sign_in_expired'
  | 'sign_in_not_verified'
  | 'not_permitted'
  | 'account_disabled'
  | 'account_pending'
  | 'email_in_use'
  | 'identity_in_use';

/** Why a sign-in with a provider came to nothing: for a page, not for a client. */
export class SignInProblem extends Error {
  readonly code: SignInProblemCode;
  /** The e-mail address the provider named, so that people see which of their accounts was meant. */
  readonly account: string | undefined;

  constructor(code: SignInProblemCode, cause?: unknown, account?: string) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'SignInProblem';
    this.code = code;
    this.account = account;
  }
}

export interface ProviderDesk {
  /**
   * `transaction` travels in a cookie until the callback. Undefined when there is no such provider. With
   * `asksAnew` the provider asks who it is even when it knows somebody already. `connects` names the session of
   * somebody who adds this provider to their account instead of signing in with it.
   */
  begin(
    providerId: string,
    leaving: {
      readonly returnTo: string;
      readonly previousToken: string | undefined;
      readonly asksAnew: boolean;
      readonly connects: { readonly personId: string; readonly sessionId: string } | undefined;
    },
  ): Promise<{ readonly url: string; readonly transaction: string } | undefined>;
  /** Throws SignInProblem. Nobody is signed in when a provider was connected. */
  finish(
    providerId: string,
    callbackQuery: string,
    transaction: string | undefined,
    device: Device,
  ): Promise<{ readonly signedIn: SignedIn | undefined; readonly returnTo: string }>;
  /** With which providers this person can sign in. */
  listOf(personId: string): Promise<readonly ProviderName[]>;
  /** Ends the sessions that came through it. Refuses for the provider that vouches for the account. */
  disconnect(personId: string, providerId: string, by: Actor): Promise<void>;
  describe(issuer: string): ProviderName;
  /** Where to go to sign out at the provider too; undefined when there is nothing to do there. */
  signOutUrl(sessionId: string, personId: string): Promise<string | undefined>;
  /** Asks providers again about their people, once a minute after `start`. */
  readonly recheck: { run(): Promise<void>; start(): void; stop(): void };
}

/** What people call a provider: its label, or its host when it is not used any more. */
export interface ProviderName {
  /** Undefined when it is not used any more. */
  readonly id: string | undefined;
  readonly name: string;
}

export interface InvitationDesk {
  create(ask: {
    readonly email: string | undefined;
    readonly role: PersonRole;
    readonly invitedBy: string;
    /** Of which whoever accepts becomes a member. */
    readonly projects: readonly string[];
    readonly lifetimeMs: number;
    readonly by: Actor;
    /** The name of who invites, for the letter. */
    readonly invitedByName: string;
  }): Promise<{
    readonly invitation: InvitationRecord;
    readonly url: string;
    /** Undefined where no letter is sent: without an address, or without a mail server. */
    readonly letter: Promise<LetterFate> | undefined;
  }>;
  list(): Promise<readonly InvitationRecord[]>;
  revoke(invitationId: string, by: Actor): Promise<boolean>;
  preview(token: string): Promise<InvitationRecord>;
  accept(
    token: string,
    newcomer: { readonly name: string; readonly email: string; readonly password: string },
    entrance: Entrance,
  ): Promise<SignedIn>;
}

export interface PeopleDesk {
  create(
    person: {
      readonly email: string;
      readonly name: string;
      readonly role: PersonRole;
      readonly password: string | undefined;
    },
    by: Actor,
  ): Promise<Person>;
  /** Disabling ends sessions at once; keys and running answers follow through the key ring. Undefined: no such person. */
  change(
    personId: string,
    change: { readonly state?: 'active' | 'disabled' | undefined; readonly role?: PersonRole | undefined },
    by: Actor,
  ): Promise<Person | undefined>;
  /**
   * For good, with sessions, keys, memberships and what else belongs to the person; usage stays in the books. Only
   * somebody who is disabled: nothing of theirs runs any more. False: no such person.
   */
  remove(personId: string, by: Actor): Promise<boolean>;
}

/** The person becomes a member of those projects that are there and have not ended. */
export type JoinProjects = (personId: string, projectIds: readonly string[], by: Actor) => Promise<void>;
