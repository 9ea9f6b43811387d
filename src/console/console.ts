import type { Exchange } from '#vocabulary/exchange';
import type { Session } from '#vocabulary/person-desks';
import { Refusal } from '#vocabulary/refusal';
import type { Call, FileAnswer } from './call.ts';
import type { ConsoleParts } from './console-parts.ts';
import { consoleRoutes } from '#contract/routes';
import type { RouteDefinition } from '#contract/route';
import { Cookies } from './cookies.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import { createHandlers } from './handlers/handlers.ts';
import { readBody, readQuery } from './read-call.ts';
import { createRouteMatcher } from './route-match.ts';
import { requireOwnPage } from './same-origin.ts';
import { createTurns } from '#vocabulary/turns';
import { sendFile, sendJson, sendRedirect } from './send-answer.ts';

export { writeAccount } from './write-account.ts';
export { writeArchive } from './write-archive.ts';

/** Event streams that one person may have open; a browser needs one. */
const maxStreamsPerPerson = 40;

/** The JSON API of the web application and of administrators: everything under `/console/`. */
export interface Console {
  /** Throws Refusals; whoever calls it answers them. */
  handle(exchange: Exchange): Promise<void>;
  /** Whether the caller's cookie belongs to a session; for what stands outside `/console/`. */
  isSignedIn(exchange: Exchange): Promise<boolean>;
}

type AnyCall = Call<string, RouteDefinition>;
type AnyHandler = (call: AnyCall) => Promise<unknown>;

export function createConsole(parts: ConsoleParts): Console {
  const { sessions } = parts.desks;
  const handlers = createHandlers(parts) as Readonly<Record<string, AnyHandler>>;
  const match = createRouteMatcher(consoleRoutes, handlers);
  const openStreams = new Map<string, number>();
  const answerTurns = createTurns({ perPerson: 4, inTotal: 32, maxWaitingPerPerson: 60 });
  const importTurns = createTurns({ perPerson: 1, inTotal: 1, maxWaitingPerPerson: 3 });

  return {
    isSignedIn: async (exchange) => (await recognise(exchange)).session !== undefined,
    async handle(exchange) {
      const { name, route, parameters } = match(exchange.method, exchange.path);
      const { cookies, device, token, session } = await recognise(exchange);
      requireAccess(route, session);
      if (exchange.method !== 'GET') requireOwnPage(exchange, session);
      using _turn = await takeTurn(route, exchange, session);
      const call = {
        exchange,
        parameters,
        query: readQuery(route, exchange.query),
        body: await readBody(route, exchange),
        session,
        token,
        device,
        cookies,
        openEvents: () => openEvents(exchange, session),
      };
      const handler = handlers[name];
      if (handler === undefined) throw new TypeError(`nobody handles ${name}`);
      // The matcher found the route by its name, so the call has the shape that its handler expects.
      const answer = await handler(call as AnyCall);
      await send(exchange, route, answer, cookies);
    },
  };

  async function recognise(exchange: Exchange) {
    const cookies = new Cookies(exchange.headers.cookie, parts.publicUrl().startsWith('https:'));
    const device = {
      address: parts.addressOf(exchange),
      userAgent: (exchange.headers['user-agent'] ?? '').slice(0, 300),
    };
    const token = cookies.get('session');
    const session = token === undefined ? undefined : await sessions.find(token, device);
    return { cookies, device, token, session };
  }

  /** Held until the answer is sent. */
  async function takeTurn(route: RouteDefinition, exchange: Exchange, session: Session | undefined) {
    if (session === undefined) return undefined;
    const turns = route.readsLargeBody ? importTurns : route.answersAtLength ? answerTurns : undefined;
    return await turns?.take(session.person.id, exchange.cancellation);
  }

  function openEvents(exchange: Exchange, session: Session | undefined): EventStream {
    if (session === undefined) throw new TypeError('events are for people who are signed in');
    const personId = session.person.id;
    const count = openStreams.get(personId) ?? 0;
    if (count >= maxStreamsPerPerson) {
      throw new Refusal('rate_limit_exceeded', 'Too many pages are open. Close some and try again.', {
        retryAfterSeconds: 10,
      });
    }
    openStreams.set(personId, count + 1);
    const stream = openEventStream(exchange, [], async () =>
      (await sessions.list(personId)).some((listed) => listed.id === session.id),
    );
    const forget = sessions.onEnded((ended) => {
      if (ended.personId !== personId || (ended.sessionId ?? session.id) !== session.id) return;
      stream.send('sessionEnded', { type: 'sessionEnded' });
      stream.end();
    });
    stream.onEnd(() => {
      forget();
      const left = (openStreams.get(personId) ?? 1) - 1;
      if (left > 0) openStreams.set(personId, left);
      else openStreams.delete(personId);
    });
    return stream;
  }
}

function requireAccess(route: RouteDefinition, session: Session | undefined): void {
  if (route.access === 'anyone') return;
  if (session === undefined) throw new Refusal('sign_in_required', 'Sign in to go on.');
  if (route.access === 'administrator' && session.person.role !== 'administrator') {
    throw new Refusal('permission_denied', 'Only administrators of this service may do this.');
  }
}

async function send(
  exchange: Exchange,
  route: RouteDefinition,
  answer: unknown,
  cookies: Cookies,
): Promise<void> {
  switch (route.answer) {
    case 'json':
      await sendJson(exchange, answer, cookies.headers);
      return;
    case 'file':
      await sendFile(exchange, answer as FileAnswer, cookies.headers);
      return;
    case 'redirect':
      sendRedirect(exchange, (answer as { location: string }).location, cookies.headers);
      return;
    case 'events':
  }
}

export { type OperationsDesk, type StatusDesk } from './console-parts.ts';
