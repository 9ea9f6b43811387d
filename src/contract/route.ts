import type { z } from 'zod';

/**
 * - `anyone`: also without a session.
 * - `person`: a signed-in person; every id in the request must be theirs, or the answer is 404.
 * - `administrator`: a signed-in administrator.
 */
export type Access = 'anyone' | 'person' | 'administrator';

/**
 * What one route takes and gives. `answer` says what the body of a success is: a JSON document that `response`
 * describes, a stream of server-sent events whose data `response` describes, a file, or a redirect.
 */
export interface RouteDefinition {
  readonly access: Access;
  readonly answer: 'json' | 'events' | 'file' | 'redirect';
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** How much the body may be. Without it `small` for anyone, `form` for people who are signed in. */
  readonly bodySize?: BodySize;
  /** The body is not JSON but bytes, at most so many. */
  readonly takesBytes?: number;
  readonly response?: z.ZodType;
  /** The body is large: the handler reads it, in a thread of its own, when it is its turn. */
  readonly readsLargeBody?: true;
  /** The answer may be large: few of them are made and sent for one person at a time, the others wait their turn. */
  readonly answersAtLength?: true;
  /** Ids inside query or body that must belong to the caller, besides those in the path. */
  readonly innerIds?: readonly string[];
  /** Set when an id in the path is itself the permission: an unguessable link. */
  readonly pathIsCapability?: true;
}

export type BodySize = keyof typeof bodySizes;

/** Bytes, and values and brackets in them: checked before anything of a body is built. */
export const bodySizes = {
  /** Whoever nobody knows yet gets no more than this. */
  small: { maxBytes: 16 * 1024, maxValues: 200 },
  form: { maxBytes: 256 * 1024, maxValues: 5000 },
  /** A long text, or a few. */
  text: { maxBytes: 4 * 1024 ** 2, maxValues: 20_000 },
  conversation: { maxBytes: 16 * 1024 ** 2, maxValues: 50_000 },
  archive: { maxBytes: 32 * 1024 ** 2, maxValues: 500_000 },
} as const;

export type RouteTable = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /console/${string}`, RouteDefinition>
>;

/** `{ chatId: string }` for `GET /console/chats/:chatId`. */
export type PathParameters<Name extends string> = Name extends `${string}:${infer Parameter}/${infer Rest}`
  ? { readonly [Key in Parameter]: string } & PathParameters<Rest>
  : Name extends `${string}:${infer Parameter}`
    ? { readonly [Key in Parameter]: string }
    : object;
