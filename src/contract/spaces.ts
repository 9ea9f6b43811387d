import { z } from 'zod';
import { chatSummary } from './chats.ts';
import { document } from './documents.ts';
import { done, id, moment } from './fields.ts';
import { message } from './messages.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';

/** The space of a project: what its members have together, and what its leads look after. */

const spaceListing = z.object({
  projectId: id,
  name: z.string(),
  /** A course that is over can still be read. */
  hasEnded: z.boolean(),
  /** Model ids; empty means every model. */
  models: z.array(z.string()),
});

const chatInSpace = z.object({
  chatId: id,
  title: z.string(),
  sharedBy: z.string(),
  isOwn: z.boolean(),
  sharedAt: moment,
  updatedAt: moment,
});

const space = z.object({
  projectId: id,
  name: z.string(),
  description: z.string(),
  hasEnded: z.boolean(),
  /** Model ids; empty means every model. */
  models: z.array(z.string()),
  /** Whether the caller may edit: leads and administrators. */
  isKeeper: z.boolean(),
  /** Null for an administrator who is none. */
  role: z.enum(['member', 'lead']).nullable(),
  leads: z.array(z.string()),
  members: z.number().int(),
  instructions: z.string(),
  instructionsChangedAt: moment,
  documents: z.array(document),
  storage: z.object({ usedBytes: z.number().int(), limitBytes: z.number().int() }),
  /** The one that somebody wrote in last comes first. */
  chats: z.array(chatInSpace),
});

/** Where one's own chat has its place. */
const chatPlace = z.object({
  projectId: id,
  name: z.string(),
  /** Its questions are asked in the space. */
  isInside: z.boolean(),
  isShared: z.boolean(),
  /** Whether the caller is still a member. */
  isMember: z.boolean(),
});

const placeOfChat = z.object({ place: chatPlace.nullable() });

export const spaceRoutes = {
  /** Those of the caller. */
  'GET /console/spaces': {
    access: 'person',
    answer: 'json',
    response: z.object({ spaces: z.array(spaceListing) }),
  },
  'GET /console/spaces/:projectId': { access: 'person', answer: 'json', response: space },
  /** For leads and administrators. Empty takes them back. */
  'PUT /console/spaces/:projectId/instructions': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: z.strictObject({ instructions: z.string().max(100_000) }),
    response: done,
  },
  /** For leads and administrators. They are brought with `POST /console/documents`. */
  'DELETE /console/spaces/:projectId/documents/:documentId': {
    access: 'person',
    answer: 'json',
    response: done,
  },
  /**
   * A chat that a member shares, as it is now. Whoever reads it while an answer is being written hears over
   * `GET /console/events` how it goes on, until `spaceChanged` says that it is to be read anew.
   */
  'GET /console/spaces/:projectId/chats/:chatId': {
    access: 'person',
    answer: 'json',
    response: chatInSpace.extend({
      projectName: z.string(),
      /** One branch, first message first; of a very long one its end. */
      messages: z.array(message),
    }),
    answersAtLength: true,
  },
  /** One's own, in the same space, to go on with. */
  'POST /console/spaces/:projectId/chats/:chatId/copy': {
    access: 'person',
    answer: 'json',
    response: chatSummary,
  },
  /** For leads and administrators: somebody's chat is not seen by the others any more. */
  'DELETE /console/spaces/:projectId/chats/:chatId': { access: 'person', answer: 'json', response: done },
  'GET /console/chats/:chatId/space': { access: 'person', answer: 'json', response: placeOfChat },
  /** Members of the project read it from now on. */
  'PUT /console/chats/:chatId/space': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ projectId: id }),
    response: placeOfChat,
    innerIds: ['projectId'],
  },
  /** `share`: the others do not read it any more. `place`: neither that, nor is it asked in the space. */
  'DELETE /console/chats/:chatId/space': {
    access: 'person',
    answer: 'json',
    query: z.object({ what: z.enum(['share', 'place']) }),
    response: placeOfChat,
  },
} as const satisfies RouteTable;

export type Space = Shape<typeof space>;
export type ChatInSpace = Shape<typeof chatInSpace>;
