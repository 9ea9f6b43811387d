import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IdentityProvider, signInAtProvider, startIdentityProvider } from './identity-provider.ts';
import { type Stage, startStage, tester } from './stage.ts';
import type { Visitor } from './visitor.ts';

const begin = '/console/sign-in/provider/campus';

interface Scene extends AsyncDisposable {
  readonly provider: IdentityProvider;
  readonly stage: Stage;
}

async function setScene(): Promise<Scene> {
  const provider = await startIdentityProvider();
  const stage = await startStage({
    providers: [
      {
        name: 'campus',
        label: 'Campus account',
        issuer: provider.issuer,
        clientId: 'gatehouse',
        clientSecret: 'a secret between two services',
        scopes: ['openid', 'email', 'profile'],
        claims: { name: 'name', email: 'email', groups: 'groups' },
        trustsEmail: false,
        allowedGroups: ['staff', 'operators'],
        allowedDomains: [],
        adminGroups: ['operators'],
      },
    ],
  });
  await provider.tell({ kind: 'client', url: stage.url });
  await provider.tell({
    kind: 'accounts',
    accounts: {
      ada: { name: 'Ada Lovelace', groups: ['staff'] },
      root: { groups: ['operators'] },
      guest: { groups: ['visitors'] },
    },
  });
  return {
    provider,
    stage,
    async [Symbol.asyncDispose]() {
      await stage.stop();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Leaves for the provider and comes back; `change` is what somebody in between does to the way back. */
async function signIn(
  visitor: Visitor,
  account: string,
  change: (back: URL) => void = () => {},
  returnTo = '/chat/1',
) {
  const left = await visitor.raw('GET', `${begin}?returnTo=${encodeURIComponent(returnTo)}`);
  const back = await signInAtProvider(left.headers.get('location') ?? '', account);
  change(back);
  const arrived = await visitor.raw('GET', back.pathname + back.search);
  assert.equal(arrived.status, 302);
  return arrived.headers.get('location');
}

async function nobodyIn(visitor: Visitor): Promise<void> {
  assert.equal((await visitor.ok('GET /console/session')).person, null);
}

test('people of the organisation sign in, and out at the provider too', async () => {
  await using scene = await setScene();
  const { stage, provider } = scene;
  const ada = stage.visitor();
  assert.deepEqual((await ada.ok('GET /console/session')).signIn.providers, [
    { id: 'campus', name: 'Campus account' },
  ]);
  const left = await ada.raw('GET', begin);
  assert.match(
    left.headers.getSetCookie().join(),
    /^gatehouse-sign-in=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/,
  );
  const asked = new URL(left.headers.get('location') ?? '').searchParams;
  assert.deepEqual([asked.get('response_type'), asked.get('code_challenge_method')], ['code', 'S256']);
  assert.equal(asked.get('redirect_uri'), `${stage.url}${begin}/callback`);

  assert.equal(await signIn(ada, 'ada'), '/chat/1');
  const { person } = await ada.ok('GET /console/session');
  assert.deepEqual(
    [person?.name, person?.email, person?.role, person?.providers],
    ['Ada Lovelace', 'ada@example.org', 'person', [{ id: 'campus', name: 'Campus account' }]],
  );
  assert.equal((await ada.ok('GET /console/sessions')).sessions[0]?.method, 'Campus account');
  for (const elsewhere of [
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
  ]) {
    assert.equal(await signIn(ada, 'ada', () => {}, elsewhere), '/', elsewhere);
  }
  assert.equal(
    (await ada.ok('GET /console/sessions')).sessions.length,
    1,
    'each sign-in ends the session before it',
  );
  assert.equal(await stage.storage.people.count(), 1);

  await ada.ok('GET /console/session');
  const { providerSignOutUrl } = await ada.ok('POST /console/sign-out', { body: { scope: 'here' } });
  const signOut = new URL(providerSignOutUrl ?? '');
  assert.equal(signOut.origin, provider.issuer);
  assert.equal(signOut.searchParams.get('post_logout_redirect_uri'), `${stage.url}/sign-in`);
  assert.ok(signOut.searchParams.get('id_token_hint'));
  await nobodyIn(ada);
});

test('a way back that was tampered with leads nowhere', async () => {
  await using scene = await setScene();
  const { stage } = scene;
  const visitor = stage.visitor();
  const expired = '/sign-in?problem=sign_in_expired';
  const unverified = '/sign-in?problem=sign_in_not_verified';
  assert.equal(await signIn(visitor, 'ada', (back) => back.searchParams.set('state', 'forged')), unverified);
  assert.equal(await signIn(visitor, 'ada', (back) => back.searchParams.delete('state')), unverified);
  assert.equal(await signIn(visitor, 'ada', (back) => back.searchParams.set('code', 'forged')), unverified);
  assert.equal(
    await signIn(visitor, 'ada', (back) => back.searchParams.set('iss', 'https://other.example')),
    unverified,
  );
  // A link with the attacker's own code, opened by somebody who never left, or who left for something else.
  const attacker = stage.visitor();
  const left = await attacker.raw('GET', begin);
  const back = await signInAtProvider(left.headers.get('location') ?? '', 'ada');
  assert.equal((await visitor.raw('GET', back.pathname + back.search)).headers.get('location'), expired);
  await visitor.raw('GET', begin);
  assert.equal((await visitor.raw('GET', back.pathname + back.search)).headers.get('location'), unverified);
  // Too late, and a transaction that nobody sealed here.
  const late = await attacker.raw('GET', begin);
  const lateBack = await signInAtProvider(late.headers.get('location') ?? '', 'ada');
  stage.advance(16 * 60_000);
  assert.equal(
    (await attacker.raw('GET', lateBack.pathname + lateBack.search)).headers.get('location'),
    expired,
  );
  attacker.cookies.set('gatehouse-sign-in', 'A'.repeat(400));
  assert.equal(
    (await attacker.raw('GET', lateBack.pathname + lateBack.search)).headers.get('location'),
    expired,
  );
  // Saying no at the provider is not an error.
  const unsure = await visitor.raw('GET', begin);
  const no = await signInAtProvider(unsure.headers.get('location') ?? '', 'ada', 'cancel');
  assert.equal(
    (await visitor.raw('GET', no.pathname + no.search)).headers.get('location'),
    '/sign-in?problem=provider_refused',
  );
  for (const nobody of [visitor, attacker]) await nobodyIn(nobody);
  assert.equal(await stage.storage.people.count(), 0);
});

test('a token that was not made for this sign-in is refused', async () => {
  await using scene = await setScene();
  const { stage, provider } = scene;
  const visitor = stage.visitor();
  for (const about of ['audience', 'issuer', 'nonce', 'party', 'time', 'signature']) {
    await provider.tell({ kind: 'lie', about });
    assert.equal(await signIn(visitor, 'ada'), '/sign-in?problem=sign_in_not_verified', about);
  }
  await nobodyIn(visitor);
  assert.equal(await stage.storage.people.count(), 0);
  await provider.tell({ kind: 'lie', about: 'none' });
  assert.equal(await signIn(visitor, 'ada'), '/chat/1');
});

test('who may enter, as what, and who may not any more', async () => {
  await using scene = await setScene();
  const { stage, provider } = scene;
  const visitor = stage.visitor();
  assert.equal(
    await signIn(visitor, 'guest'),
    '/sign-in?problem=not_permitted#account=guest%40example.org',
    'the page can say which account it was',
  );
  const other = await visitor.raw('GET', `${begin}?account=other`);
  assert.equal(
    new URL(other.headers.get('location') ?? '').searchParams.get('prompt'),
    'login',
    'whoever is refused can come as somebody else',
  );
  await nobodyIn(visitor);
  assert.equal(await signIn(visitor, 'root'), '/chat/1');
  assert.equal((await visitor.ok('GET /console/session')).person?.role, 'administrator');
  await provider.tell({ kind: 'accounts', accounts: { root: { groups: ['staff'] } } });
  await signIn(visitor, 'root');
  const { person } = await visitor.ok('GET /console/session');
  assert.equal(person?.role, 'person', 'who leaves the group is an administrator no longer');
  await stage.desks.people.change(person.id, { state: 'disabled' }, tester);
  assert.equal(await signIn(visitor, 'root'), '/sign-in?problem=account_disabled#account=root%40example.org');
  await nobodyIn(visitor);
});

test('projects name groups: whoever is in one is a member, as long as they are', async () => {
  await using scene = await setScene();
  const { stage, provider } = scene;
  const asker = { by: tester, isAdministrator: true };
  await stage.projectDesk.create(asker, { id: 'genomics', groups: ['lab'] });
  await stage.projectDesk.create(asker, { id: 'staff-room', groups: ['cooks', 'staff'] });
  const ada = stage.visitor();
  await signIn(ada, 'ada');
  const { person } = await ada.ok('GET /console/session');
  const roles = () => ['genomics', 'staff-room'].map((id) => stage.projectDesk.roleIn(id, person!.id));
  assert.deepEqual(roles(), [undefined, 'member']);
  await assert.rejects(stage.projectDesk.removeMember(asker, 'staff-room', person!.id), /group there/);

  await provider.tell({ kind: 'accounts', accounts: { ada: { groups: ['staff', 'lab'] } } });
  await signIn(ada, 'ada');
  assert.deepEqual(roles(), ['member', 'member']);
  await stage.projectDesk.change(asker, 'staff-room', { groups: ['cooks'] });
  await signIn(ada, 'ada');
  assert.deepEqual(roles(), ['member', undefined]);

  await stage.projectDesk.putMember(asker, 'genomics', person!.email, 'lead');
  await provider.tell({ kind: 'accounts', accounts: { ada: { groups: ['staff'] } } });
  await signIn(ada, 'ada');
  assert.deepEqual(roles(), ['lead', undefined], 'whoever was added as well stays');
});

test('a provider that cannot be reached is said to be so, and the others still work', async () => {
  const scene = await setScene();
  await scene.provider[Symbol.asyncDispose]();
  const visitor = scene.stage.visitor();
  const left = await visitor.raw('GET', begin);
  assert.equal(left.headers.get('location'), '/sign-in?problem=provider_unreachable');
  assert.equal((await visitor.raw('GET', '/console/sign-in/provider/nowhere')).status, 404);
  await scene.stage.stop();
});
