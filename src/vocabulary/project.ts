import type { Limits, LimitScope } from './limits.ts';

/** `genomics`, `course-2027` */
export const projectIdPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;
export const projectNamePattern = /^[^\p{Cc}]{1,100}$/u;
export const projectWeights = { least: 0.01, most: 1000 } as const;

/** People who share a weight, models, limits and a budget. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Against other projects, when everybody wants the service. */
  readonly weight: number;
  /** Model ids; empty means every model. */
  readonly models: readonly string[];
  /** A course or a workshop ends; after that its keys are refused. Milliseconds since the epoch. */
  readonly endsAt: number | undefined;
  /** Groups at a sign-in provider whose people are members while they are in them. */
  readonly groups: readonly string[];
  /** Whether members may profit from prompts that an engine still holds of each other. */
  readonly sharesPrompts: boolean;
  /** Written in the settings file; then it can be changed there only. */
  readonly isConfigured: boolean;
}

/** A lead may change the members of the project and the limits of each. */
export type ProjectRole = 'member' | 'lead';

export interface Membership {
  readonly projectId: string;
  readonly personId: string;
  readonly role: ProjectRole;
  /** `added` by somebody, or `group` while the provider says so. */
  readonly source: 'added' | 'group';
}

/** Limits as somebody wrote them down: an exception from what the settings say for everybody. */
export interface StoredLimits {
  readonly scope: LimitScope;
  /** A key, a person or a project; for `member` the project whose members are each bound. */
  readonly subjectId: string;
  /** Undefined: requests for all models count together. */
  readonly modelId: string | undefined;
  readonly limits: Limits;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly weight?: number | undefined;
  readonly models?: readonly string[] | undefined;
  readonly endsAt?: number | null | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly sharesPrompts?: boolean | undefined;
}

/** Everything about projects at once: there are hundreds, not millions. */
export interface ProjectSnapshot {
  readonly projects: readonly Project[];
  readonly memberships: readonly Membership[];
  readonly limits: readonly StoredLimits[];
}

export interface ProjectStore {
  /** Counts up with every change that any process makes. */
  readRevision(): Promise<number>;
  readAll(): Promise<ProjectSnapshot>;
  /** Refuses with `conflict` when the id is taken. */
  insert(project: Project): Promise<void>;
  /** False when there is none. */
  update(projectId: string, change: ProjectChange): Promise<boolean>;
  /** Takes memberships and limits along; keys of the project stop working, usage records stay. */
  remove(projectId: string): Promise<boolean>;
  putMember(membership: Membership): Promise<void>;
  removeMember(projectId: string, personId: string): Promise<boolean>;
  /** The person's memberships by group become just these. */
  setGroupMemberships(personId: string, projectIds: readonly string[]): Promise<void>;
  /** Without any limit the exception is removed. */
  putLimits(stored: StoredLimits): Promise<void>;
}

/** What the request path asks about projects; answered from memory. */
export interface ProjectDirectory {
  find(projectId: string): Project | undefined;
  /** Everybody is a member of `everyone`. */
  isMember(projectId: string, personId: string): boolean;
  /** Those that have not ended, `everyone` first. */
  projectsOf(personId: string): readonly Project[];
}

export interface ConfiguredProject extends Project {
  readonly limits: Limits;
  readonly memberLimits: Limits;
}

/** What the settings file says about projects and limits. */
export interface ConfiguredSharing {
  readonly projects: readonly ConfiguredProject[];
  /** For every key, person, project and member, where no exception says something else about the same kind of limit. */
  readonly defaultLimits: Readonly<Record<LimitScope, Limits>>;
}
