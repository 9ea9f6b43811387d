import type { Device } from './person-desks.ts';

/**
 * What is written down about people and their rights. An open list: whatever changes who may do what gets a line
 * here. It says when the person concerned is told: `others` when somebody else did it, `news` when it was done
 * from where they never were, `always`, or `never`, for what concerns nobody in particular or only the doer.
 */
const auditKinds = {
  'sign-in': 'news',
  'sign-in-failed': 'always',
  'sign-out': 'others',
  'password-changed': 'always',
  'sign-in-link-created': 'others',
  'provider-connected': 'always',
  'provider-disconnected': 'always',
  'key-created': 'others',
  'key-rotated': 'others',
  'key-revoked': 'others',
  'person-created': 'never',
  'person-enabled': 'others',
  'person-disabled': 'others',
  'person-withdrawn': 'others',
  'person-removed': 'never',
  'person-exported': 'always',
  'person-restored': 'never',
  'role-changed': 'others',
  'invitation-created': 'never',
  'invitation-used': 'never',
  'invitation-revoked': 'never',
  'settings-reloaded': 'never',
  'project-created': 'never',
  'project-changed': 'never',
  'project-removed': 'never',
  'project-member-added': 'others',
  'project-member-removed': 'others',
  'space-instructions-changed': 'never',
  'space-document-added': 'never',
  'space-document-removed': 'never',
  'space-chat-withdrawn': 'others',
  'limits-changed': 'others',
  'announcement-made': 'never',
  'announcement-changed': 'never',
  'announcement-removed': 'never',
  'incident-opened': 'never',
  'incident-updated': 'never',
  'incident-resolved': 'never',
  'incident-removed': 'never',
  'appearance-changed': 'never',
  'preset-made': 'never',
  'preset-changed': 'never',
  'preset-removed': 'never',
  'engine-tested': 'never',
  'engine-added': 'never',
  'engine-changed': 'never',
  'engine-removed': 'never',
  'model-added': 'never',
  'model-changed': 'never',
  'model-removed': 'never',
} as const satisfies Record<string, 'always' | 'others' | 'news' | 'never'>;

export type AuditKind = keyof typeof auditKinds;

export function whoIsToldOf(kind: AuditKind): 'always' | 'others' | 'news' | 'never' {
  return auditKinds[kind];
}

/** Who did it. */
export type Actor =
  | { readonly kind: 'person'; readonly personId: string; readonly device: Device }
  /** Nobody who is signed in. */
  | { readonly kind: 'stranger'; readonly device: Device }
  /** Somebody at the command line of the machine, by their name there. */
  | { readonly kind: 'command'; readonly user: string }
  /** An identity provider, by its issuer. */
  | { readonly kind: 'provider'; readonly issuer: string }
  | { readonly kind: 'service' };

export type AuditDetail = Readonly<Record<string, string | number | boolean>>;

export interface AuditEvent {
  readonly kind: AuditKind;
  readonly by: Actor;
  /** The person concerned, if it is one. */
  readonly personId?: string | undefined;
  /** Short values; never a secret. What is too long is cut. */
  readonly detail?: AuditDetail;
  /** The person is told, whatever the kind says. */
  readonly mustTell?: boolean;
}

/** Where rooms write down what was done. */
export interface AuditTrail {
  /** Resolves when it is on the disk. What cannot be written down is a failure of whoever does it. */
  note(event: AuditEvent): Promise<void>;
  /** Gathered, and written down once in a while: guessing must not fill the disk. Never waits, never throws. */
  noteFailedSignIn(personId: string | undefined, device: Device): void;
}

/** One line of the trail. Each holds the hash of the one before. */
export interface AuditEntry {
  /** 1, 2, 3 and so on without a gap. */
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Also kinds of other versions. */
  readonly kind: string;
  readonly actorKind: Actor['kind'];
  /** A person's id, a user of the machine, an issuer. */
  readonly actorId: string | undefined;
  readonly personId: string | undefined;
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  readonly detail: AuditDetail;
  /** Whether the person concerned is told. */
  readonly isNotice: boolean;
  readonly previousHash: string;
  readonly hash: string;
}

export interface AuditQuery {
  readonly kind?: string | undefined;
  readonly personId?: string | undefined;
  readonly actorId?: string | undefined;
  /** Who did it, or whom it concerns. */
  readonly involvedId?: string | undefined;
  /** Inclusive. */
  readonly since?: number | undefined;
  /** Exclusive. */
  readonly until?: number | undefined;
  /** Only those before this position. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Where the console reads what was written down. */
export interface AuditBook {
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** What this person should know and was not yet told; not what this very session did. */
  noticesFor(personId: string, sessionId: string): Promise<readonly AuditEntry[]>;
  noteSeen(personId: string, position: number): Promise<void>;
  /** Oldest first, all of it. */
  readAll(): AsyncGenerator<AuditEntry>;
  /** Reads the whole trail. With a hash, an entry with it must be there. */
  verify(expectedHash?: string): Promise<ChainVerdict>;
}

/** Whether the trail is whole. */
export interface ChainVerdict {
  /** Sound ones, up to the first flaw. */
  readonly entries: number;
  /** The hash of the last entry; whoever keeps it elsewhere can tell later that nothing was cut off. */
  readonly head: string;
  /** What is wrong, and where it begins. */
  readonly flaw: string | undefined;
}

export interface AuditStore {
  /** In one step: reads the last entry, of whichever process, and adds the one that `follow` makes of it. */
  append(follow: (last: AuditEntry | undefined) => AuditEntry): Promise<AuditEntry>;
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** Oldest first, after this position. */
  read(afterPosition: number, limit: number): Promise<readonly AuditEntry[]>;
  /** What this person is to be told and has not acknowledged; newest first. */
  listUnseen(personId: string, limit: number): Promise<readonly AuditEntry[]>;
  noteSeen(personId: string, position: number): Promise<void>;
  /** Whether the person has signed in before from this address or with this browser; `never` for their first time. */
  familiarityOf(personId: string, device: Device): Promise<'never' | 'familiar' | 'new'>;
}
