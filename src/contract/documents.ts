import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { documentPartBytes } from './document-limits.ts';
import { done, id, moment } from './fields.ts';

/**
 * Documents and pictures that people bring. The page reads them; the server keeps the text by page and the original,
 * and never looks inside a file. One that no message refers to is gone after a day.
 */

export const documentKind = z.enum(['pdf', 'word', 'table', 'notebook', 'text', 'picture']);

/** A document as a message knows it. */
export const attachedDocument = z.object({
  id,
  name: z.string(),
  kind: documentKind,
  bytes: z.number().int(),
  pageCount: z.number().int(),
});

export const document = attachedDocument.extend({
  mediaType: z.string(),
  /** SHA-256 of the original and of its text, in hexadecimal; null until everything has arrived. */
  digest: z.string().nullable(),
  textDigest: z.string().nullable(),
  /** Of its text; zero for a picture and for pages that are pictures only. */
  characters: z.number().int(),
  state: z.enum(['arriving', 'ready']),
  /** The model by whose vectors it is found as well; left out where only its words are searched. */
  embeddedBy: z.string().optional(),
  createdAt: moment,
});

export const documentPage = z.object({ number: z.number().int().min(1).max(100_000), text: z.string() });

export const documentRoutes = {
  /** Asked before anything is read or sent: refuses at once what is too large, or does not fit any more. */
  'POST /console/documents': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({
      name: z.string().trim().min(1).max(255),
      kind: documentKind,
      mediaType: z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,100}$/),
      bytes: z.number().int().min(0),
      /** For the space of this project; for its leads. */
      projectId: id.optional(),
    }),
    response: document,
    innerIds: ['projectId'],
  },
  /** One part after the other, from 0, each but the last of `documentPartBytes`. */
  'PUT /console/documents/:documentId/original/:part': {
    access: 'person',
    answer: 'json',
    takesBytes: documentPartBytes,
    response: done,
  },
  /** Adds to the text: pages in order, each once. */
  'POST /console/documents/:documentId/pages': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: z.strictObject({
      pages: z.array(documentPage.extend({ text: z.string().max(2_000_000) }).strict()).max(4000),
    }),
    response: done,
  },
  /** Everything is there: the server checks that it is what was announced. */
  'POST /console/documents/:documentId/complete': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({
      /** Left out by a browser that cannot count it. */
      digest: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
      pageCount: z.number().int().min(1),
    }),
    response: document,
  },
  'GET /console/documents/:documentId': { access: 'person', answer: 'json', response: document },
  /** The text of some pages, as much as one answer holds; at least the first of them. */
  'GET /console/documents/:documentId/pages': {
    access: 'person',
    answer: 'json',
    query: z.object({ from: z.coerce.number<number>().int().min(1) }),
    response: z.object({ pages: z.array(documentPage), nextPage: z.number().int().nullable() }),
    answersAtLength: true,
  },
  'GET /console/documents/:documentId/original': { access: 'person', answer: 'file', answersAtLength: true },
  /** One that was sent stays as long as its message does. */
  'DELETE /console/documents/:documentId': { access: 'person', answer: 'json', response: done },
} as const satisfies RouteTable;

export type DocumentKind = Shape<typeof documentKind>;
export type AttachedDocument = Shape<typeof attachedDocument>;
export type Document = Shape<typeof document>;
export type DocumentPage = Shape<typeof documentPage>;
