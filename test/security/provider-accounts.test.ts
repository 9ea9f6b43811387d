import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Accounts,
  type IdentityProvider,
  signInAtProvider,
  startIdentityProvider,
} from '../console/identity-provider.ts';
import { password, type Stage, startStage, type StageOptions } from '../console/stage.ts';
import type { Visitor } from '../console/visitor.ts';

type Definition = NonNullable<StageOptions['providers']>[number];

const hour = 3_600_000;
const day = 24 * hour;

interface Scene extends AsyncDisposable {
  readonly stage: Stage;
  readonly campus: IdentityProvider;
  /** A second provider, under the name `partner`. */
  readonly partner: IdentityProvider;
}

async function setScene(accounts: Accounts, settings: Partial<Definition> = {}): Promise<Scene> {
  const [campus, partner] = [await startIdentityProvider(), await startIdentityProvider()];
  const define = (name: string, { issuer }: IdentityProvider): Definition => ({
    name,
    label: `The ${name}`,
    issuer,
    clientId: 'gatehouse',
    clientSecret: 'a secret between two services',
    scopes: ['openid', 'email', 'profile'],
    claims: { name: 'name', email: 'email', groups: 'groups' },
    trustsEmail: false,
    allowedGroups: ['staff', 'operators'],
    allowedDomains: [],
    adminGroups: ['operators'],
    ...settings,
  });
  const stage = await startStage({ providers: [define('campus', campus), define('partner', partner)] });
  for (const [name, provider] of [
    ['campus', campus],
    ['partner', partner],
  ] as const) {
    await provider.tell({ kind: 'client', url: stage.url, name });
    await provider.tell({ kind: 'accounts', accounts });
  }
  return {
    stage,
    campus,
    partner,
    async [Symbol.asyncDispose]() {
      await stage.stop();
      await campus[Symbol.asyncDispose]();
      await partner[Symbol.asyncDispose]();
    },
  };
}

async function signIn(
  visitor: Visitor,
  provider: 'campus' | 'partner',
  account: string,
): Promise<string | null> {
  const left = await visitor.raw('GET', `/console/sign-in/provider/${provider}`);
  return comeBack(visitor, left.headers.get('location') ?? '', account);
}

async function comeBack(visitor: Visitor, url: string, account: string): Promise<string | null> {
  const back = await signInAtProvider(url, account);
  const arrived = await visitor.raw('GET', back.pathname + back.search);
  // The page that is shown next reads the session, and with it the token for its calls.
  await visitor.ok('GET /console/session');
  return arrived.headers.get('location');
}

async function personOf(visitor: Visitor) {
  const { person } = await visitor.ok('GET /console/session');
  assert.ok(person !== null, 'signed in');
  return person;
}

async function isOut(visitor: Visitor, why: string): Promise<void> {
  assert.equal((await visitor.ok('GET /console/session')).person, null, why);
}

const unverified = { groups: ['staff'], email: 'victim@example.org', email_verified: false };
const verified = { groups: ['operators'], email: 'victim@example.org', email_verified: true };

test('an address joins no accounts, and one that nobody has checked is nobody’s', async () => {
  await using scene = await setScene({ mallory: unverified, victim: verified, namesake: verified });
  const { stage } = scene;
  const mallory = stage.visitor();
  assert.equal(await signIn(mallory, 'campus', 'mallory'), '/');
  assert.match((await personOf(mallory)).email, /^mallory\.\w{8}@campus\.invalid$/);
  const victim = stage.visitor();
  assert.equal(await signIn(victim, 'partner', 'victim'), '/');
  assert.equal((await personOf(victim)).email, 'victim@example.org');
  assert.equal((await personOf(victim)).role, 'administrator');
  // Signing in again changes nothing of that.
  await signIn(mallory, 'campus', 'mallory');
  assert.notEqual((await personOf(mallory)).id, (await personOf(victim)).id);
  assert.equal((await personOf(mallory)).role, 'person');
  // A third account with the same address, checked by another provider, does not get in as the second.
  const namesake = stage.visitor();
  const refused = '/sign-in?problem=email_in_use#account=victim%40example.org';
  assert.equal(await signIn(namesake, 'campus', 'namesake'), refused);
  await isOut(namesake, 'an address is no proof');
});

test('that an address was checked is believed of the claim email, and from one source', async () => {
  const accounts = { shady: { groups: ['staff'], upn: 'victim@example.org', email_verified: true } };
  await using other = await setScene(accounts, { claims: { name: 'name', email: 'upn', groups: 'groups' } });
  const shady = other.stage.visitor();
  assert.equal(await signIn(shady, 'campus', 'shady'), '/');
  assert.match((await personOf(shady)).email, /@campus\.invalid$/);

  await using mixed = await setScene({ mallory: { groups: ['staff'] } });
  // The token names an address, the word that one was checked is about another.
  await mixed.campus.tell({ kind: 'lie', about: 'address' });
  const mallory = mixed.stage.visitor();
  assert.equal(await signIn(mallory, 'campus', 'mallory'), '/');
  assert.match((await personOf(mallory)).email, /@campus\.invalid$/);
});

test('a provider is connected by whoever is signed in, and its groups make no local administrator', async () => {
  await using scene = await setScene({ ada: { groups: ['operators'] }, bob: { groups: ['staff'] } });
  const { stage } = scene;
  const ada = await stage.arrive('Ada', 'person', password);
  const local = await personOf(ada);
  const connect = { body: { providerId: 'campus' } };
  await stage.visitor().refused('POST /console/account/providers/connect', 401, 'sign_in_required', connect);
  assert.match((await signIn(stage.visitor(), 'campus', 'ada')) ?? '', /email_in_use/);

  const { url } = await ada.ok('POST /console/account/providers/connect', connect);
  // Somebody else's browser comes back with the code: nothing is connected.
  assert.match((await comeBack(stage.visitor(), url, 'ada')) ?? '', /problem=sign_in_expired/);
  assert.equal(await comeBack(ada, url, 'ada'), '/settings/account?connected=campus');
  const elsewhere = stage.visitor();
  assert.equal(await signIn(elsewhere, 'campus', 'ada'), '/');
  const joined = await personOf(elsewhere);
  assert.deepEqual([joined.id, joined.role, joined.managedBy], [local.id, 'person', null]);
  await elsewhere.ok('POST /console/sign-in/password', { body: { email: 'ada@example.org', password } });

  // An identity that is somebody's stays theirs.
  const bob = stage.visitor();
  await signIn(bob, 'campus', 'bob');
  const again = await ada.ok('POST /console/account/providers/connect', connect);
  assert.equal(await comeBack(ada, again.url, 'bob'), '/settings/account?problem=identity_in_use');
  // Whoever has signed out meanwhile connects nothing.
  const partner = await ada.ok('POST /console/account/providers/connect', {
    body: { providerId: 'partner' },
  });
  await elsewhere.ok('GET /console/session');
  await elsewhere.ok('POST /console/sign-out', { body: { scope: 'elsewhere' } });
  assert.equal(await comeBack(ada, partner.url, 'ada'), '/settings/account?problem=sign_in_expired');

  await elsewhere.ok('POST /console/account/providers/disconnect', connect);
  assert.deepEqual((await personOf(elsewhere)).providers, []);
  assert.match((await signIn(stage.visitor(), 'campus', 'ada')) ?? '', /email_in_use/);
  await bob.refused('POST /console/account/providers/disconnect', 409, 'conflict', connect);
});

test('whom a provider vouches for has no way in past it', async () => {
  await using scene = await setScene({ ada: { groups: ['staff'] } });
  const { stage } = scene;
  const root = await stage.arrive('Root', 'administrator');
  const ada = stage.visitor();
  await signIn(ada, 'campus', 'ada');
  const { id: personId, maySetPassword, managedBy } = await personOf(ada);
  assert.deepEqual([maySetPassword, managedBy], [false, 'The campus']);
  await ada.refused('POST /console/account/password', 409, 'conflict', {
    body: { current: null, next: 'a password of my own' },
  });
  await root.refused('POST /console/administration/people/:personId/sign-in-link', 409, 'conflict', {
    personId,
  });
});

test('what a provider takes back is gone with the next look: sessions, keys and the role', async () => {
  const scopes = ['openid', 'email', 'profile', 'offline_access'];
  await using scene = await setScene({ ada: { groups: ['operators'] } }, { scopes });
  const { stage, campus } = scene;
  const ada = stage.visitor();
  await signIn(ada, 'campus', 'ada');
  const { secret } = await ada.ok('POST /console/keys', { body: { name: 'script' } });
  const works = () => stage.accounts.keyRing.find(secret) !== undefined;

  // Still there: the session lives on past the limit, because the provider was asked meanwhile.
  for (let round = 0; round < 3; round += 1) {
    stage.advance(7 * hour);
    await stage.desks.providers.recheck.run();
    assert.equal((await personOf(ada)).role, 'administrator');
  }
  await campus.tell({ kind: 'accounts', accounts: { ada: { groups: ['staff'] } } });
  stage.advance(7 * hour);
  await stage.desks.providers.recheck.run();
  assert.equal((await personOf(ada)).role, 'person', 'no longer in the group of administrators');
  assert.ok(works());

  await campus.tell({ kind: 'accounts', accounts: { ada: { groups: ['alumni'] } } });
  stage.advance(7 * hour);
  await stage.desks.providers.recheck.run();
  await isOut(ada, 'no longer in a group that may enter');
  assert.ok(!works(), 'nor are the keys');
  assert.match((await signIn(ada, 'campus', 'ada')) ?? '', /not_permitted/);

  await campus.tell({ kind: 'accounts', accounts: { ada: { groups: ['staff'] } } });
  await signIn(ada, 'campus', 'ada');
  await personOf(ada);
  assert.ok(works(), 'who is back finds the keys again');
  // Refused at the door: known people lose what they have at once, without waiting for a look.
  await campus.tell({ kind: 'accounts', accounts: { ada: { groups: [] } } });
  assert.match((await signIn(stage.visitor(), 'campus', 'ada')) ?? '', /not_permitted/);
  await isOut(ada, 'the other browser too');
  assert.ok(!works());
});

test('without a word of the provider a session ends in hours and keys in weeks', async () => {
  const scopes = ['openid', 'email', 'profile', 'offline_access'];
  await using scene = await setScene({ ada: { groups: ['staff'] }, bob: { groups: ['staff'] } }, { scopes });
  const { stage, campus } = scene;
  const [ada, bob] = [stage.visitor(), stage.visitor()];
  await signIn(ada, 'campus', 'ada');
  await signIn(bob, 'campus', 'bob');
  const { secret } = await ada.ok('POST /console/keys', { body: { name: 'script' } });
  await campus.tell({ kind: 'accounts', accounts: { ada: null, bob: { groups: ['staff'] } } });
  for (let round = 0; round < 2; round += 1) {
    stage.advance(6.5 * hour);
    await stage.desks.providers.recheck.run();
  }
  await isOut(ada, 'the provider knows nobody of that name');
  await personOf(bob);
  assert.notEqual(stage.accounts.keyRing.find(secret), undefined);
  stage.advance(30 * day);
  await stage.desks.providers.recheck.run();
  assert.equal(stage.accounts.keyRing.find(secret), undefined);
});

test('a provider that does not answer takes nothing away, and nothing lives past the limit', async () => {
  const scopes = ['openid', 'email', 'profile', 'offline_access'];
  const scene = await setScene({ ada: { groups: ['staff'] } }, { scopes });
  const { stage, campus, partner } = scene;
  const ada = stage.visitor();
  await signIn(ada, 'campus', 'ada');
  await campus[Symbol.asyncDispose]();
  stage.advance(11 * hour);
  await stage.desks.providers.recheck.run();
  await personOf(ada);
  stage.advance(2 * hour);
  await isOut(ada, 'nobody has vouched for twelve hours');
  await stage.stop();
  await partner[Symbol.asyncDispose]();
});
