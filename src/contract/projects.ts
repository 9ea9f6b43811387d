import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { done, id, moment } from './fields.ts';

const projectRole = z.enum(['member', 'lead']);
const limitScope = z.enum(['key', 'person', 'project', 'member']);
const modelId = z.string().min(1).max(200);

/** What is wrong with an amount the desk says, in words. */
export const limits = z.strictObject({
  requestsPerMinute: z.number().optional(),
  tokensPerMinute: z.number().optional(),
  requestsAtOnce: z.number().optional(),
  costPerDay: z.number().optional(),
  costPerMonth: z.number().optional(),
  costInTotal: z.number().optional(),
});

export const project = z.object({
  id,
  name: z.string(),
  description: z.string(),
  weight: z.number(),
  /** Empty means every model. */
  models: z.array(z.string()),
  endsAt: moment.nullable(),
  /** What the caller is in it; null for an administrator who is not. */
  role: projectRole.nullable(),
});

/** One of the caller's own. */
export const ownProject = project.extend({
  /** Names of those who may raise the limits of its members; so may administrators. */
  leads: z.array(z.string()),
});

/** What administrators see besides. */
export const projectRecord = project.extend({
  groups: z.array(z.string()),
  sharesPrompts: z.boolean(),
  /** Written in the settings file; then it can be changed there only. */
  isConfigured: z.boolean(),
});

export const projectMember = z.object({
  personId: id,
  email: z.string(),
  name: z.string(),
  role: projectRole,
  isByGroup: z.boolean(),
});

/** An exception from what the settings say for everybody. */
export const limitException = z.object({
  scope: limitScope,
  /** A key, a person or a project; for `member` the project whose members are each bound. */
  subjectId: id,
  modelId: z.string().nullable(),
  limits,
});

/** What is left of one limit. */
export const standing = z.object({
  scope: limitScope,
  /** Set for limits of a key. */
  keyId: id.nullable(),
  /** Set for limits of a project and of its members. */
  projectId: id.nullable(),
  modelId: z.string().nullable(),
  limit: limits.keyof(),
  amount: z.number(),
  used: z.number(),
  left: z.number(),
  /** When it is whole again; null for what does not renew by itself. */
  renewsAt: moment.nullable(),
});

/** What the settings say, and what was said besides. The closer word counts, kind by kind. */
const limitsInForce = z.object({ configured: limits, exceptions: z.array(limitException) });

/** In the list of all. */
export const projectListing = projectRecord.extend({
  members: z.number().int(),
  leads: z.array(z.string()),
  standing: z.array(standing),
});

/** One project for those who look after it. */
export const projectPage = z.object({
  project: projectRecord,
  /** Permitted networks whose callers count for it. */
  networks: z.array(z.string()),
  members: z.array(projectMember),
  limits: limitsInForce,
  memberLimits: limitsInForce,
  standing: z.array(standing),
});

/** All exceptions, and what the settings say for each key and each person. */
const allLimits = z.object({
  exceptions: z.array(limitException),
  configured: z.object({ key: limits, person: limits }),
});

const projectChange = z.strictObject({
  name: z.string().max(200).optional(),
  description: z.string().max(2000).optional(),
  weight: z.number().optional(),
  models: z.array(modelId).max(1000).optional(),
  endsAt: moment.nullable().optional(),
  groups: z.array(z.string().max(1000)).max(1000).optional(),
  sharesPrompts: z.boolean().optional(),
});

const members = z.object({ members: z.array(projectMember) });

export const projectRoutes = {
  /** The projects of the caller, `everyone` first, and all that limits them. */
  'GET /console/standing': {
    access: 'person',
    answer: 'json',
    response: z.object({ projects: z.array(ownProject), standing: z.array(standing) }),
  },
  /** For leads of the project. */
  'GET /console/projects/:projectId': { access: 'person', answer: 'json', response: projectPage },
  'GET /console/projects/:projectId/members': { access: 'person', answer: 'json', response: members },
  /** For leads; only administrators make somebody a lead, or a lead a member. */
  'PUT /console/projects/:projectId/members': {
    access: 'person',
    answer: 'json',
    /** Of somebody who is known here, also `operator@localhost`: looked up, not checked. */
    body: z.strictObject({ email: z.string().min(1).max(254), role: projectRole }),
    response: members,
  },
  'DELETE /console/projects/:projectId/members/:personId': {
    access: 'person',
    answer: 'json',
    response: members,
  },
  'GET /console/projects/:projectId/member-limits': {
    access: 'person',
    answer: 'json',
    response: z.object({ exceptions: z.array(limitException) }),
  },
  /** What each member may use. Without any limit the settings count again. */
  'PUT /console/projects/:projectId/member-limits': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ modelId: modelId.nullable(), limits }),
    response: z.object({ exceptions: z.array(limitException) }),
  },
  'GET /console/administration/projects': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ projects: z.array(projectListing) }),
  },
  'POST /console/administration/projects': {
    access: 'administrator',
    answer: 'json',
    body: projectChange.extend({ id }),
    response: projectRecord,
  },
  'PATCH /console/administration/projects/:projectId': {
    access: 'administrator',
    answer: 'json',
    body: projectChange,
    response: projectRecord,
  },
  /** Its keys stop working; what it used stays in the books. */
  'DELETE /console/administration/projects/:projectId': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
  'GET /console/administration/limits': {
    access: 'administrator',
    answer: 'json',
    response: allLimits,
  },
  'PUT /console/administration/limits': {
    access: 'administrator',
    answer: 'json',
    body: limitException,
    response: allLimits,
  },
} as const satisfies RouteTable;

export type OwnProject = Shape<typeof ownProject>;
export type ProjectRecord = Shape<typeof projectRecord>;
export type ProjectListing = Shape<typeof projectListing>;
export type ProjectPage = Shape<typeof projectPage>;
export type ProjectMember = Shape<typeof projectMember>;
export type LimitAmounts = Shape<typeof limits>;
export type LimitsInForce = Shape<typeof limitsInForce>;
export type ProjectStanding = Shape<typeof standing>;
