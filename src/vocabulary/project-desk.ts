import type { Actor } from './audit.ts';
import type { JoinProjects } from './person-desks.ts';
import type { Limits, LimitScope, Standing } from './limits.ts';
import type { Project, ProjectChange, ProjectRole, StoredLimits } from './project.ts';

/** Who wants something of a project. */
export interface ProjectAsker {
  readonly by: Actor;
  /** Administrators and the command line may do everything, leads what concerns the members of their project. */
  readonly isAdministrator: boolean;
}

export interface ProjectWishes extends Omit<ProjectChange, 'endsAt'> {
  readonly id: string;
  readonly endsAt?: number | undefined;
}

export interface ProjectMember {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly role: ProjectRole;
  /** The provider says so: who is only in a group leaves the project there. */
  readonly isByGroup: boolean;
}

/** Whom a limit is for; `subjectId` is a key, a person or a project. */
export interface LimitTarget {
  readonly scope: LimitScope;
  readonly subjectId: string;
  readonly modelId: string | undefined;
}

export interface LimitsInForce {
  readonly configured: Limits;
  readonly exceptions: readonly StoredLimits[];
}

export interface PersonMembership {
  readonly projectId: string;
  readonly name: string;
  readonly role: ProjectRole;
  readonly isByGroup: boolean;
  readonly endsAt: number | undefined;
  /** Model ids; empty means every model. */
  readonly models: readonly string[];
}

export interface ProjectOfKey {
  readonly name: string;
  /** `left`: its owner is not a member any more. */
  readonly state: 'open' | 'ended' | 'left' | 'removed';
}

/** Where projects and limits are changed. Every change counts on this server before the call resolves. */
export interface ProjectDesk {
  /** Administrators see all, others those that they are in. */
  list(asker: ProjectAsker): readonly Project[];
  find(asker: ProjectAsker, projectId: string): Project;
  /** What the person is in this project; undefined for strangers. */
  roleIn(projectId: string, personId: string): ProjectRole | undefined;
  create(asker: ProjectAsker, wishes: ProjectWishes): Promise<Project>;
  change(asker: ProjectAsker, projectId: string, change: ProjectChange): Promise<Project>;
  remove(asker: ProjectAsker, projectId: string): Promise<void>;
  /** For leads and administrators. */
  members(asker: ProjectAsker, projectId: string): Promise<readonly ProjectMember[]>;
  /** Only administrators make somebody a lead. */
  putMember(asker: ProjectAsker, projectId: string, email: string, role: ProjectRole): Promise<void>;
  removeMember(asker: ProjectAsker, projectId: string, personId: string): Promise<void>;
  /** Exceptions from the settings: all for administrators, those for the members of a project for its leads. */
  exceptions(asker: ProjectAsker, projectId?: string): readonly StoredLimits[];
  /** Refuses everybody but leads of the project and administrators. */
  requireLead(asker: ProjectAsker, projectId: string): Project;
  /** What the settings say and what was said besides: for leads about their project and its members. */
  limitsOf(asker: ProjectAsker, scope: LimitScope, subjectId: string): LimitsInForce;
  /** Takes the place of the exception for this target; for the kinds that it leaves out the settings count. */
  setLimits(asker: ProjectAsker, target: LimitTarget, limits: Limits): Promise<void>;
  /** The person's memberships by group become those of the projects that name one of these groups. */
  followGroups(personId: string, groups: ReadonlySet<string>, by: Actor): Promise<void>;
  /** Refuses when a key of this person in this project would not work. */
  requireUsable(projectId: string, personId: string): void;
  joinProjects: JoinProjects;
  /** Every project of the person, ended ones too, without `everyone`. */
  membershipsOf(personId: string): readonly PersonMembership[];
  /** What a key of this person in this project may hope for, and how people call the project. */
  describe(projectId: string, personId: string): ProjectOfKey;
  countMembers(projectId: string): number;
  /** Names of its leads, whom members can ask. */
  leadsOf(projectId: string): Promise<readonly string[]>;
  /** What is left of everything that limits this person: in each project, with each key. */
  standing(personId: string): Promise<readonly Standing[]>;
  /** What is left of everything that limits the project as a whole; for leads. */
  standingOf(asker: ProjectAsker, projectId: string): readonly Standing[];
}
