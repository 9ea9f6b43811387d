import { type SignedIn, SignInProblem } from '#vocabulary/person-desks';
import { Refusal } from '#vocabulary/refusal';
import type { CookieJar, HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { sessionRoutes } from '#contract/session';
import { actorOf } from '../actor-of.ts';
import { describeDevice } from '../describe-device.ts';
import { createPersonView } from '../person-view.ts';

const signInCookieSeconds = 15 * 60;

export function createAccountHandlers(parts: ConsoleParts): HandlersOf<typeof sessionRoutes> {
  const { desks, people, preferences } = parts;
  const { viewPerson, viewSession } = createPersonView(parts);

  return {
    'GET /console/session': ({ session, token }) => viewSession(session, token),

    'POST /console/sign-in/password': async ({ body, device, token, cookies }) =>
      enter(
        cookies,
        await desks.signIn.withPassword(body.email, body.password, { device, previousToken: token }),
      ),

    'POST /console/sign-in/letter': async ({ body, device }) => {
      desks.signIn.sendLink(body.email, device);
      return { done: true };
    },

    'POST /console/sign-in/link': async ({ body, device, token, cookies }) =>
      enter(cookies, await desks.signIn.withLink(body.token, { device, previousToken: token })),

    'GET /console/sign-in/provider/:providerId': async ({ parameters, query, token, cookies }) => {
      try {
        const begun = await desks.providers.begin(parameters.providerId, {
          returnTo: query.returnTo ?? '/',
          previousToken: token,
          asksAnew: query.account === 'other',
          connects: undefined,
        });
        if (begun === undefined) throw new Refusal('not_found', 'There is no such sign-in provider.');
        cookies.set('sign-in', begun.transaction, signInCookieSeconds);
        return { location: begun.url };
      } catch (cause) {
        return { location: problemPage(cause) };
      }
    },

    'GET /console/sign-in/provider/:providerId/callback': async ({
      exchange,
      parameters,
      device,
      cookies,
    }) => {
      const transaction = cookies.get('sign-in');
      cookies.clear('sign-in');
      try {
        const { providerId } = parameters;
        const { signedIn, returnTo } = await desks.providers.finish(
          providerId,
          exchange.query,
          transaction,
          device,
        );
        if (signedIn !== undefined) await enter(cookies, signedIn);
        return { location: returnTo };
      } catch (cause) {
        return { location: problemPage(cause) };
      }
    },

    'POST /console/account/providers/connect': async ({ session, body, cookies }) => {
      const begun = await desks.providers.begin(body.providerId, {
        returnTo: '/settings/account',
        previousToken: undefined,
        asksAnew: false,
        connects: { personId: session.person.id, sessionId: session.id },
      });
      if (begun === undefined) throw new Refusal('not_found', 'There is no such sign-in provider.');
      cookies.set('sign-in', begun.transaction, signInCookieSeconds);
      return { url: begun.url };
    },

    'POST /console/account/providers/disconnect': async ({ session, device, body }) => {
      await desks.providers.disconnect(session.person.id, body.providerId, actorOf(session, device));
      return viewPerson(session.person);
    },

    'POST /console/sign-out': async ({ session, device, body, cookies }) => {
      const personId = session.person.id;
      const by = actorOf(session, device);
      if (body.scope === 'elsewhere') {
        await desks.sessions.endAll(personId, by, session.id);
        return { providerSignOutUrl: null };
      }
      const providerSignOutUrl = (await desks.providers.signOutUrl(session.id, personId)) ?? null;
      if (body.scope === 'everywhere') await desks.sessions.endAll(personId, by);
      else await desks.sessions.end(personId, session.id, by);
      cookies.clear('session');
      return { providerSignOutUrl };
    },

    'GET /console/sessions': async ({ session }) => ({
      sessions: (await desks.sessions.list(session.person.id)).map((listed) => ({
        id: listed.id,
        isCurrent: listed.id === session.id,
        description: describeDevice(listed.userAgent),
        address: listed.address,
        method: listed.method,
        createdAt: listed.createdAt,
        lastSeenAt: listed.lastSeenAt,
        expiresAt: listed.expiresAt,
      })),
    }),

    'DELETE /console/sessions/:sessionId': async ({ session, device, parameters, cookies }) => {
      const by = actorOf(session, device);
      if (!(await desks.sessions.end(session.person.id, parameters.sessionId, by))) {
        throw new Refusal('not_found', 'There is no such session. It may have ended already.');
      }
      if (parameters.sessionId === session.id) cookies.clear('session');
      return { done: true };
    },

    'PATCH /console/account': async ({ session, body }) => {
      const personId = session.person.id;
      if (body.name !== undefined) await people.update(personId, { name: body.name });
      if (body.preferences !== undefined) {
        await preferences.write(personId, { ...(await preferences.read(personId)), ...body.preferences });
      }
      return viewPerson((await people.find(personId)) ?? session.person);
    },

    'POST /console/account/password': async ({ session, body, device, token, cookies }) => {
      const entrance = { device, previousToken: token };
      return enter(
        cookies,
        await desks.signIn.changePassword(session, body.current ?? undefined, body.next, entrance),
      );
    },

    'POST /console/invitation/preview': async ({ body }) => {
      const { email, invitedBy, expiresAt } = await desks.invitations.preview(body.token);
      const inviter = await people.find(invitedBy);
      return { email: email ?? null, invitedBy: inviter?.name ?? 'Operator', expiresAt };
    },

    'POST /console/invitation/accept': async ({ body, device, token, cookies }) => {
      const { token: invitationToken, ...newcomer } = body;
      const entrance = { device, previousToken: token };
      return enter(cookies, await desks.invitations.accept(invitationToken, newcomer, entrance));
    },
  };

  function enter(cookies: CookieJar, { token, session }: SignedIn): ReturnType<typeof viewSession> {
    cookies.set('session', token, Math.floor(parts.sessionLifetimeMs / 1000));
    return viewSession(session);
  }
}

function problemPage(cause: unknown): string {
  if (!(cause instanceof SignInProblem)) throw cause;
  // In a fragment the address reaches no log.
  const account = cause.account === undefined ? '' : `#account=${encodeURIComponent(cause.account)}`;
  return `/sign-in?problem=${cause.code}${account}`;
}
