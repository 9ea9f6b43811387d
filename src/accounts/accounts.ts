import type {
  IdentityStore,
  InvitationStore,
  SessionStore,
  SignInLinkStore,
} from '#vocabulary/account-stores';
import type { AuditTrail } from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import type { KeyDesk, KeyPolicy } from '#vocabulary/key-desk';
import type { Logger } from '#vocabulary/logger';
import type { Postman } from '#vocabulary/mail';
import type { JoinProjects, PersonDesks } from '#vocabulary/person-desks';
import type { KeyStore, PeopleStore } from '#vocabulary/stores';
import { createAttemptBrake } from './attempt-brake.ts';
import { createFirstOperator } from './first-operator.ts';
import { createInvitationDesk } from './invitation-desk.ts';
import { createKeyDesk } from './key-desk.ts';
import { createKeyRing, type LiveKeyRing } from './key-ring.ts';
import { createPasswordHasher } from './password-hash.ts';
import { createPeopleDesk } from './people-desk.ts';
import type { ProviderDefinition } from './provider-claims.ts';
import { createProviderDesk } from './provider-desk.ts';
import type { FollowGroups } from './provider-people.ts';
import type { RecheckPlan } from './provider-recheck.ts';
import { createSessionDesk, type SessionLifetimes } from './session-desk.ts';
import { createSignInDesk } from './sign-in-desk.ts';

/** People and what they hold: their keys, in memory for the doors and in the database for good. */
export interface Accounts {
  readonly keyRing: LiveKeyRing;
  readonly keyDesk: KeyDesk;
}

export interface AccountsParts {
  readonly keys: KeyStore;
  /** See the key ring. */
  readonly beforeLook?: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keyPolicy: KeyPolicy;
  readonly audit: AuditTrail;
}

/** Nothing runs before `keyRing.start()`; the desk works without it. */
export function createAccounts({
  keys,
  beforeLook,
  clock,
  logger,
  keyPolicy,
  audit,
}: AccountsParts): Accounts {
  const keyRing = createKeyRing({ keys, clock, logger, ...(beforeLook !== undefined && { beforeLook }) });
  const keyDesk = createKeyDesk({
    keys,
    clock,
    policy: keyPolicy,
    audit,
    accessChanged: () => keyRing.refresh(),
  });
  return { keyRing, keyDesk };
}

export interface PersonDesksParts {
  readonly people: PeopleStore;
  readonly identities: IdentityStore;
  readonly sessions: SessionStore;
  readonly signInLinks: SignInLinkStore;
  readonly invitations: InvitationStore;
  /** Tells when a person is disabled, also by another process. */
  readonly keyRing: Pick<LiveKeyRing, 'onWithdrawn' | 'refresh'>;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the service. */
  readonly secret: string;
  readonly lifetimes: Omit<SessionLifetimes, 'uncheckedMs'>;
  /** Without them there are neither passwords nor sign-in links. */
  readonly hasLocalAccounts: boolean;
  readonly providers: readonly ProviderDefinition[];
  /** How long people are believed to be what their provider last said. */
  readonly recheck: RecheckPlan;
  readonly followGroups: FollowGroups;
  readonly joinProjects: JoinProjects;
  /** Undefined: the service sends no letters. */
  readonly postman: Postman | undefined;
  /** `https://host[:port]`, known once the server listens. */
  readonly publicUrl: () => string;
}

/** People, how they sign in, and where they are signed in. */
export function createPersonDesks(parts: PersonDesksParts): PersonDesks {
  const { people, audit, clock, logger, publicUrl } = parts;
  const hasher = createPasswordHasher();
  const accessChanged = () => parts.keyRing.refresh();
  const links = parts.signInLinks;
  const sessions = createSessionDesk({
    store: parts.sessions,
    links,
    people,
    audit,
    clock,
    lifetimes: { ...parts.lifetimes, uncheckedMs: parts.recheck.sessionsMs },
    knowsProvider: (providerId) => parts.providers.some(({ name }) => name === providerId),
  });
  const peopleDesk = createPeopleDesk({
    people,
    sessions,
    hasher,
    audit,
    clock,
    accessChanged,
  });

  const signIn = createSignInDesk({
    people,
    links,
    sessions,
    hasher,
    brake: createAttemptBrake(clock),
    audit,
    clock,
    hasLocalAccounts: parts.hasLocalAccounts,
    publicUrl,
    postman: parts.postman,
    logger,
  });

  parts.keyRing.onWithdrawn((withdrawn) => {
    if (withdrawn.kind !== 'person') return;
    // Nobody gets in: every request looks at the person's state.
    sessions.suspend(withdrawn.personId).catch((cause: unknown) => {
      logger.error({ error: cause }, 'sessions of a person who lost access could not be ended');
    });
  });

  return {
    signInWays: {
      password: parts.hasLocalAccounts,
      sendsLinks: parts.hasLocalAccounts && parts.postman !== undefined,
      providers: parts.providers.map(({ name, label }) => ({ id: name, name: label })),
    },
    sessions,
    signIn,
    providers: createProviderDesk({
      providers: parts.providers,
      people,
      identities: parts.identities,
      sessions,
      sessionStore: parts.sessions,
      recheck: parts.recheck,
      audit,
      clock,
      logger,
      publicUrl,
      secret: parts.secret,
      followGroups: parts.followGroups,
      accessChanged,
    }),
    invitations: createInvitationDesk({
      store: parts.invitations,
      joinProjects: parts.joinProjects,
      hasher,
      sessions,
      audit,
      clock,
      publicUrl,
      postman: parts.postman,
      logger,
    }),
    people: peopleDesk,
    ensureFirstOperator: createFirstOperator({
      people,
      peopleDesk,
      signIn,
      hasLocalAccounts: parts.hasLocalAccounts,
    }),
  };
}
