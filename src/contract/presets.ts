import { z } from 'zod';
import { done, effort, id, moment } from './fields.ts';
import { parameters } from './messages.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';

/** As it is written behind a slash: letters, digits, and a few marks inside. */
export const presetName = z
  .string()
  .trim()
  .max(40)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u);

const fields = {
  name: presetName,
  description: z.string().trim().max(200),
  /** What is null leaves the chat as it is. */
  model: z.string().min(1).max(200).nullable(),
  effort: effort.nullable(),
  systemPrompt: z.string().max(100_000).nullable(),
  parameters: parameters.nullable(),
  /** Goes into the composer; `{name}` in it is a blank to fill in. */
  prompt: z.string().max(20_000),
};

export const presetWishes = z.strictObject(fields);

/** A name for a way of asking: settings of a chat, the words of a question, or both. */
export const preset = z.object({
  ...fields,
  id,
  scope: z.enum(['person', 'project', 'service']),
  /** Null unless it belongs to a project: then it is for the chats of that project. */
  projectId: id.nullable(),
  updatedAt: moment,
});

export const presetRoutes = {
  /**
   * One's own first, then those of one's projects, then those of the service, each by name. Where several have the
   * same name, the first counts.
   */
  'GET /console/presets': {
    access: 'person',
    answer: 'json',
    response: z.object({ presets: z.array(preset) }),
    answersAtLength: true,
  },
  'POST /console/presets': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: presetWishes,
    response: preset,
  },
  'PUT /console/presets/:presetId': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: presetWishes,
    response: preset,
  },
  'DELETE /console/presets/:presetId': { access: 'person', answer: 'json', response: done },
  /** For members and administrators. */
  'GET /console/spaces/:projectId/presets': {
    access: 'person',
    answer: 'json',
    response: z.object({ presets: z.array(preset) }),
    answersAtLength: true,
  },
  /** For leads and administrators, as are the next two. */
  'POST /console/spaces/:projectId/presets': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: presetWishes,
    response: preset,
  },
  'PUT /console/spaces/:projectId/presets/:presetId': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: presetWishes,
    response: preset,
  },
  'DELETE /console/spaces/:projectId/presets/:presetId': { access: 'person', answer: 'json', response: done },
  /** Offered to everybody. */
  'POST /console/administration/presets': {
    access: 'administrator',
    answer: 'json',
    bodySize: 'text',
    body: presetWishes,
    response: preset,
  },
  'PUT /console/administration/presets/:presetId': {
    access: 'administrator',
    answer: 'json',
    bodySize: 'text',
    body: presetWishes,
    response: preset,
  },
  'DELETE /console/administration/presets/:presetId': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
} as const satisfies RouteTable;

export type Preset = Shape<typeof preset>;
export type PresetWishes = Shape<typeof presetWishes>;
