import assert from 'node:assert/strict';
import { test } from 'node:test';
import { password, startStage, tester } from './stage.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('the session cookie is for our own pages alone, and bound to the host over https', async () => {
  await using plain = await startStage();
  await using secure = await startStage({ publicUrl: 'https://gatehouse.example' });
  const expectations = [
    [plain, /^gatehouse-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/],
    [
      secure,
      /^__Host-gatehouse-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    ],
  ] as const;
  for (const [stage, expected] of expectations) {
    await stage.desks.people.create(
      { email: 'ada@example.org', name: 'Ada', role: 'person', password },
      tester,
    );
    const body = { email: ' ADA@example.org', password };
    const answer = await stage.visitor().call('POST /console/sign-in/password', { body });
    assert.match(answer.headers.getSetCookie().join(), expected);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
  // The database must not be worth stealing: the token is not in it.
  const ada = plain.visitor();
  await ada.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password } });
  assert.ok(!plain.dump().includes(ada.cookies.get('gatehouse-session')!));
});

test('signing in changes the session, and the old one is over', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada', 'person', password);
  const before = new Map(ada.cookies);
  await ada.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password } });
  assert.notDeepEqual(before, ada.cookies);
  assert.equal((await ada.ok('GET /console/sessions')).sessions.length, 1);
  const thief = stage.visitor();
  for (const [name, value] of before) thief.cookies.set(name, value);
  assert.equal((await thief.ok('GET /console/session')).person, null);
});

test('a session ends when nobody uses it, and in any case after its lifetime', async () => {
  await using stage = await startStage();
  const idle = await stage.arrive('Idle');
  const busy = await stage.arrive('Busy');
  for (let days = 0; days < 29; days += 1) {
    stage.advance(day);
    assert.notEqual((await busy.ok('GET /console/session')).person, null);
    if (days === 5) assert.notEqual((await idle.ok('GET /console/session')).person, null);
  }
  assert.equal((await idle.ok('GET /console/session')).person, null);
  stage.advance(day + hour);
  assert.equal((await busy.ok('GET /console/session')).person, null);
  await busy.refused('GET /console/chats', 401, 'sign_in_required');
});

test('a page of another site can change nothing', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada', 'person', password);
  const body = { title: 'forged', model: 'beta-4-scout' };
  const forgeries = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1' },
    { 'x-csrf-token': '' },
    { 'x-csrf-token': 'signed-out' },
    { 'x-csrf-token': `${ada.csrfToken}x` },
  ];
  for (const headers of forgeries)
    await ada.refused('POST /console/chats', 403, 'foreign_origin', { body, headers });
  const form = await ada.raw('POST', '/console/chats', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain', 'x-csrf-token': ada.csrfToken },
  });
  assert.equal(form.status, 415);
  const bodiless = await ada.raw('DELETE', '/console/chats', { headers: {} });
  assert.equal(bodiless.status, 403);
  assert.deepEqual((await ada.ok('GET /console/chats')).chats, []);
  // Signing somebody in from elsewhere is a forgery too.
  const stranger = stage.visitor();
  await stranger.refused('POST /console/sign-in/password', 403, 'foreign_origin', {
    body: { email: 'ada@example.org', password },
    headers: { 'sec-fetch-site': 'cross-site' },
  });
});

test('guessing is slowed, for one account and from one address, without locking others out', async () => {
  await using stage = await startStage({ doesTimeStandStill: true });
  const ada = await stage.arrive('Ada', 'person', password);
  await stage.arrive('Bob', 'person', password);
  const guesser = stage.visitor();
  const guess = { body: { email: 'ada@example.org', password: 'wrong password' } };
  for (let count = 0; count < 6; count += 1)
    await guesser.refused('POST /console/sign-in/password', 401, 'sign_in_required', guess);
  const slowed = await guesser.refused('POST /console/sign-in/password', 429, 'rate_limit_exceeded', guess);
  assert.ok(Number(slowed.headers.get('retry-after')) >= 1);
  // Being right does not help while it is too early, or guessing in parallel would.
  const right = { body: { email: 'ada@example.org', password } };
  await guesser.refused('POST /console/sign-in/password', 429, 'rate_limit_exceeded', right);
  await guesser.ok('POST /console/sign-in/password', { body: { email: 'bob@example.org', password } });
  assert.notEqual((await ada.ok('GET /console/session')).person, null);
  stage.advance(16 * 60_000);
  await guesser.ok('POST /console/sign-in/password', right);
  // An address nobody has here is answered like a wrong password.
  const unknown = { body: { email: 'nobody@example.org', password } };
  await guesser.refused('POST /console/sign-in/password', 401, 'sign_in_required', unknown);
});

test('the first start prints a link that works once', async () => {
  await using stage = await startStage();
  const first = await stage.desks.ensureFirstOperator({ email: undefined, password: undefined });
  const tokenOf = (url: string) => url.slice(url.indexOf('#link=') + 6);
  assert.ok(first !== undefined && first.url.startsWith(`${stage.url}/sign-in#link=`));
  const operator = stage.visitor();
  const { person } = await operator.ok('POST /console/sign-in/link', { body: { token: tokenOf(first.url) } });
  assert.equal(person?.role, 'administrator');
  const again = { body: { token: tokenOf(first.url) } };
  await stage.visitor().refused('POST /console/sign-in/link', 401, 'sign_in_required', again);
  assert.equal(await stage.desks.ensureFirstOperator({ email: undefined, password: undefined }), undefined);

  const seeded = { email: 'root@example.org', password };
  assert.equal(await stage.desks.ensureFirstOperator(seeded), undefined);
  await stage.visitor().ok('POST /console/sign-in/password', { body: seeded });
});

test('a sign-in link is the only one, lives for minutes, and ends with every sign-in and sign-out', async () => {
  await using stage = await startStage();
  const { id: personId } = await stage.desks.people.create(
    {
      email: 'ada@example.org',
      name: 'Ada',
      role: 'person',
      password,
    },
    tester,
  );
  const makeLink = async () => {
    const { url } = await stage.desks.signIn.createOneTimeLink(personId, tester);
    return { body: { token: url.slice(url.indexOf('#link=') + 6) } };
  };
  const enter = (link: { body: { token: string } }) =>
    stage.visitor().call('POST /console/sign-in/link', link);
  const isOver = async (link: { body: { token: string } }, why: string) =>
    assert.equal((await enter(link)).status, 401, why);

  const older = await makeLink();
  const newer = await makeLink();
  await isOver(older, 'a newer one was made');
  assert.equal((await enter(newer)).status, 200);
  await isOver(newer, 'it was used');

  const late = await makeLink();
  stage.advance(16 * 60_000);
  await isOver(late, 'it has run out');

  const ada = stage.visitor();
  const beforeSignIn = await makeLink();
  await ada.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password } });
  await isOver(beforeSignIn, 'the person signed in another way');

  const other = stage.visitor();
  await other.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password } });
  const { sessions } = await ada.ok('GET /console/sessions');
  const sessionId = sessions.find(({ isCurrent }) => !isCurrent)!.id;
  const beforeEnding = await makeLink();
  await ada.ok('DELETE /console/sessions/:sessionId', { sessionId });
  await isOver(beforeEnding, 'a device was signed out');
  for (const scope of ['elsewhere', 'here', 'everywhere'] as const) {
    const beforeSignOut = await makeLink();
    await ada.ok('POST /console/sign-out', { body: { scope } });
    await isOver(beforeSignOut, `the person signed out ${scope}`);
    await ada.ok('GET /console/session');
    await ada.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password } });
  }
});

test('without local accounts there are no links, not even old ones', async () => {
  const stage = await startStage();
  const { id } = await stage.desks.people.create(
    {
      email: 'ada@example.org',
      name: 'Ada',
      role: 'administrator',
      password,
    },
    tester,
  );
  const { url } = await stage.desks.signIn.createOneTimeLink(id, tester);
  await stage.abandon();
  await using closed = await startStage({ dataDir: stage.dataDir, hasLocalAccounts: false });
  const link = { body: { token: url.slice(url.indexOf('#link=') + 6) } };
  await closed.visitor().refused('POST /console/sign-in/link', 403, 'permission_denied', link);
  await assert.rejects(closed.desks.signIn.createOneTimeLink(id, tester), { code: 'permission_denied' });
  const operator = { email: undefined, password: undefined };
  assert.equal(await closed.desks.ensureFirstOperator(operator), undefined);
  const body = { email: 'ada@example.org', password };
  await closed.visitor().refused('POST /console/sign-in/password', 403, 'permission_denied', { body });
});

test('devices are listed and can be signed out one by one, elsewhere and everywhere', async () => {
  await using stage = await startStage();
  const laptop = await stage.arrive('Ada', 'person', password);
  const phone = stage.visitor();
  const tablet = stage.visitor();
  const agent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1';
  const body = { email: 'ada@example.org', password };
  await phone.ok('POST /console/sign-in/password', { body, headers: { 'user-agent': agent } });
  await tablet.ok('POST /console/sign-in/password', { body });
  const { sessions } = await laptop.ok('GET /console/sessions');
  assert.equal(sessions.filter(({ isCurrent }) => isCurrent).length, 1);
  const { id } = sessions.find(({ description }) => description === 'Safari on iPhone')!;
  const open = await phone.listen();
  await laptop.ok('DELETE /console/sessions/:sessionId', { sessionId: id });
  await open.over();
  assert.equal(open.events.at(-1)?.type, 'sessionEnded');
  assert.equal((await phone.ok('GET /console/session')).person, null);

  await laptop.ok('POST /console/sign-out', { body: { scope: 'elsewhere' } });
  assert.equal((await tablet.ok('GET /console/session')).person, null);
  await laptop.ok('POST /console/sign-out', { body: { scope: 'everywhere' } });
  assert.deepEqual([...laptop.cookies], []);
  assert.equal((await laptop.ok('GET /console/session')).person, null);
});

test('a new password needs the old one and ends every other session', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada', 'person', password);
  const other = stage.visitor();
  await other.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password } });
  const next = 'a much better password';
  await ada.refused('POST /console/account/password', 400, 'invalid_parameter', {
    body: { current: 'wrong one', next },
  });
  await ada.refused('POST /console/account/password', 400, 'invalid_parameter', {
    body: { current: null, next },
  });
  await ada.refused('POST /console/account/password', 400, 'invalid_parameter', {
    body: { current: password, next: 'short' },
  });
  await ada.ok('POST /console/account/password', { body: { current: password, next } });
  assert.equal((await other.ok('GET /console/session')).person, null);
  assert.notEqual((await ada.ok('GET /console/session')).person, null);
  await other.refused('POST /console/sign-in/password', 401, 'sign_in_required', {
    body: { email: 'ada@example.org', password },
  });
  await other.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password: next } });
  // Told where it was not done.
  for (const [visitor, told] of [
    [ada, []],
    [other, ['password-changed']],
  ] as const) {
    const { entries } = await visitor.ok('GET /console/account/notices');
    assert.deepEqual(
      entries.map(({ kind }) => kind).filter((kind) => kind === 'password-changed'),
      told,
    );
  }
  const kept = stage.dump();
  assert.match(kept, /"scrypt\$/);
  assert.ok(!kept.includes(password) && !kept.includes(next));
});

test('an invitation lets one person in, as what it says, under the address it names', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const invite = (email: string | null) =>
    root.ok('POST /console/administration/invitations', {
      body: { email, role: 'administrator', expiresInDays: 2 },
    });
  const tokenOf = ({ url }: { url: string }) => url.slice(url.indexOf('#') + 1);
  const token = tokenOf(await invite('New@example.org'));
  const guest = stage.visitor();
  const preview = await guest.ok('POST /console/invitation/preview', { body: { token } });
  assert.deepEqual([preview.email, preview.invitedBy], ['New@example.org', 'Root']);
  const newcomer = { token, name: 'New', email: 'other@example.org', password };
  await guest.refused('POST /console/invitation/accept', 400, 'invalid_parameter', { body: newcomer });
  const accepted = await guest.ok('POST /console/invitation/accept', {
    body: { ...newcomer, email: 'new@example.org' },
  });
  assert.equal(accepted.person?.role, 'administrator');
  const twice = { body: { ...newcomer, email: 'new@example.org' } };
  await stage.visitor().refused('POST /console/invitation/accept', 404, 'not_found', twice);

  const late = tokenOf(await invite(null));
  const revoked = await invite(null);
  const invitationId = revoked.invitation.id;
  await root.ok('DELETE /console/administration/invitations/:invitationId', { invitationId });
  await guest.refused('POST /console/invitation/preview', 404, 'not_found', {
    body: { token: tokenOf(revoked) },
  });
  stage.advance(3 * day);
  await guest.refused('POST /console/invitation/preview', 404, 'not_found', { body: { token: late } });
  const { invitations } = await root.ok('GET /console/administration/invitations');
  assert.deepEqual(invitations.map(({ state }) => state).sort(), ['accepted', 'expired', 'revoked']);
});

test('an invitation that could not be kept is open still', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const invite = async () => {
    const body = { email: null, role: 'person', expiresInDays: 2 } as const;
    const { url } = await root.ok('POST /console/administration/invitations', { body });
    return url.slice(url.indexOf('#') + 1);
  };
  const accept = (token: string, email: string) =>
    stage
      .visitor()
      .call('POST /console/invitation/accept', { body: { token, name: 'New', email, password } });
  // Both ask for one address at the same time: one of them comes too late.
  const tokens = [await invite(), await invite()];
  const answers = await Promise.all(tokens.map((token) => accept(token, 'new@example.org')));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  const loser = tokens[answers.findIndex(({ status }) => status === 409)]!;
  assert.equal((await accept(loser, 'other@example.org')).status, 200);
});

test('a disabled person loses sessions, keys, streams and running answers at once, and is told why, alone', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const mallory = await stage.arrive('Mallory', 'person', password);
  const { secret } = await mallory.ok('POST /console/keys', { body: { name: 'script' } });
  const newMessages = [{ role: 'user' as const, content: 'go on for ever' }];
  const { generation } = await mallory.ok('POST /console/generations', {
    body: { chatId: null, parentId: null, newMessages, model: 'beta-4-scout', requestKey: 'the-only-click' },
  });
  const answer = await stage.inference.asked(0);
  const stream = mallory.listenToAnswer(generation.id);
  await stream.until((event) => event.type === 'snapshot');
  const { person } = await mallory.ok('GET /console/session');
  assert.notEqual(stage.accounts.keyRing.find(secret), undefined);

  const personId = person!.id;
  await root.ok('PATCH /console/administration/people/:personId', { personId, body: { state: 'disabled' } });
  assert.equal(answer.ask.cancellation.reason, 'access-withdrawn');
  assert.equal(stage.accounts.keyRing.find(secret), undefined);
  const seenBy = async (visitor: typeof mallory) => {
    const { person: whom, problem, csrfToken } = await visitor.ok('GET /console/session');
    return [whom, problem, csrfToken];
  };
  assert.deepEqual(await seenBy(mallory), [null, 'account_disabled', 'signed-out']);
  await mallory.refused('GET /console/chats', 401, 'sign_in_required');
  assert.deepEqual(await seenBy(stage.visitor()), [null, null, 'signed-out']);
  await stream.over();
  const body = { email: 'mallory@example.org', password };
  await mallory.refused('POST /console/sign-in/password', 403, 'permission_denied', { body });

  await root.ok('PATCH /console/administration/people/:personId', { personId, body: { state: 'active' } });
  assert.deepEqual(await seenBy(mallory), [null, null, 'signed-out'], 'what was open then stays closed');
  await mallory.ok('POST /console/sign-in/password', { body });

  const own = (await root.ok('GET /console/session')).person!.id;
  const given = { personId: own, body: { state: 'disabled' } };
  await root.refused('PATCH /console/administration/people/:personId', 409, 'conflict', given);
});
