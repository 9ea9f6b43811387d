import type { z } from 'zod';
import type { Exchange } from '#vocabulary/exchange';
import type { Device, Session } from '#vocabulary/person-desks';
import type { PathParameters, RouteDefinition, RouteTable } from '#contract/route';
import type { Shape } from '#contract/shape';
import type { EventStream } from './event-stream.ts';

/** One call of a route, checked: who it is, what they gave. */
export interface Call<Name extends string, Route extends RouteDefinition> {
  readonly exchange: Exchange;
  readonly parameters: PathParameters<Name>;
  readonly query: Route extends { query: infer Query extends z.ZodType } ? z.output<Query> : undefined;
  readonly body: Route extends { readsLargeBody: true }
    ? undefined
    : Route extends { takesBytes: number }
      ? Buffer
      : Route extends { body: infer Body extends z.ZodType }
        ? z.output<Body>
        : undefined;
  readonly session: Route['access'] extends 'anyone' ? Session | undefined : Session;
  /** The value of the session cookie, whether or not it is worth anything. */
  readonly token: string | undefined;
  readonly device: Device;
  readonly cookies: CookieJar;
  /** Only for routes that answer with events. Called once. */
  readonly openEvents: () => EventStream;
}

export interface CookieJar {
  get(name: CookieName): string | undefined;
  /** Goes out with the answer. */
  set(name: CookieName, value: string, maxAgeSeconds: number): void;
  clear(name: CookieName): void;
}

export type CookieName = 'session' | 'sign-in';

export interface FileAnswer {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: string | AsyncIterable<string | Uint8Array>;
}

export type Answer<Route extends RouteDefinition> = Route['answer'] extends 'json'
  ? Route extends { response: infer Response extends z.ZodType }
    ? Shape<Response>
    : never
  : Route['answer'] extends 'file'
    ? FileAnswer
    : Route['answer'] extends 'redirect'
      ? { readonly location: string }
      : void;

export type Handler<Name extends string, Route extends RouteDefinition> = (
  call: Call<Name, Route>,
) => Promise<Answer<Route>>;

export type HandlersOf<Routes extends RouteTable> = {
  readonly [Name in keyof Routes & string]: Routes[Name] extends RouteDefinition
    ? Handler<Name, Routes[Name]>
    : never;
};
