/** What somebody may use; what is undefined is not limited. The smallest of all that apply wins. */
export interface Limits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly requestsAtOnce?: number | undefined;
  readonly costPerDay?: number | undefined;
  readonly costPerMonth?: number | undefined;
  /** Until the project ends, or for ever. */
  readonly costInTotal?: number | undefined;
}

export const limitNames = [
  'requestsPerMinute',
  'tokensPerMinute',
  'requestsAtOnce',
  'costPerDay',
  'costPerMonth',
  'costInTotal',
] as const satisfies readonly (keyof Limits)[];

export type LimitName = (typeof limitNames)[number];

/**
 * Whom a limit binds: one key, one person in everything they do, a project as a whole, or each member of a project
 * for themselves. Where several of one person's projects limit them, each counts for its own requests.
 */
export type LimitScope = 'key' | 'person' | 'project' | 'member';

/** Limits that apply to one request, with the meter that counts for them. */
export interface AppliedLimits {
  readonly scope: LimitScope;
  /** The key, person or project; for `member` the project and the member. Names the meter. */
  readonly subject: string;
  /** Only requests for this model count. */
  readonly modelId: string | undefined;
  readonly limits: Limits;
}

/** What is left of one limit. */
export interface Standing {
  readonly scope: LimitScope;
  readonly subject: string;
  readonly modelId: string | undefined;
  readonly limit: LimitName;
  readonly amount: number;
  readonly used: number;
  /** When it is whole again, in milliseconds since the epoch; undefined for a total. */
  readonly renewsAt: number | undefined;
}
