import { z } from 'zod';
import type { Shape } from './shape.ts';
import { id, moment } from './fields.ts';

/** What goes to a model, in tokens: counted by its engine, or estimated where it does not count. */
export const contextParts = z.object({
  /** How much the model takes in; what is assumed where nobody knows. */
  contextTokens: z.number().int(),
  instructions: z.number().int(),
  documents: z.number().int(),
  conversation: z.number().int(),
  /** Kept free for the answer. */
  answer: z.number().int(),
  isEstimated: z.boolean(),
});

/** A part of a document under a number by which the answer can cite it. */
export const source = z.object({
  number: z.number().int(),
  documentId: id,
  name: z.string(),
  page: z.number().int(),
  /** In the text of the page; with `length` null the whole page. */
  start: z.number().int(),
  length: z.number().int().nullable(),
});

const namedDocument = z.object({ documentId: id, name: z.string() });

/** What the project of the chat gave to the answer. Its words stand where only members read them. */
const sentOfSpace = z.object({
  projectId: id,
  /** Which of its instructions: when they were written; null when there were none. */
  instructionsAt: moment.nullable(),
  /** Its documents of which something went along. */
  documents: z.array(namedDocument),
});

export const sentContext = z.object({
  parts: contextParts,
  /** Null outside of projects. */
  space: sentOfSpace.nullable().default(null),
  /** The first message of the conversation that went along; null when all did. */
  beginsAt: id.nullable(),
  /** What stood for the messages before, as it was sent; null when they were left out, or all went along. */
  summary: z.string().nullable().default(null),
  /** A summary was wanted, and could not be written: the code of the reason. */
  summaryProblem: z.string().nullable().default(null),
  sources: z.array(source),
  /** Whether passages were looked for by meaning as well as by words. */
  byMeaning: z.enum(['notSearched', 'searched', 'failed']).default('notSearched'),
  /** Pictures that the model could look at. */
  pictures: z.array(namedDocument),
  /** Of these nothing went along: there was no room, or the model cannot look at pictures. */
  leftOut: z.array(namedDocument),
});

export type ContextParts = Shape<typeof contextParts>;
export type NamedDocument = Shape<typeof namedDocument>;
export type SentOfSpace = Shape<typeof sentOfSpace>;
export type Source = Shape<typeof source>;
export type SentContext = Shape<typeof sentContext>;
export type MeaningOutcome = SentContext['byMeaning'];
