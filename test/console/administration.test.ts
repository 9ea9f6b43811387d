import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openUsageApplier } from '../../src/storage/usage-applier.ts';
import { sampleRecord } from '../accounting/sample-usage.ts';
import { password, startStage } from './stage.ts';
import type { Visitor } from './visitor.ts';

/** One house for all: an administrator, a lead of one project, a member of three. */
const stage = await startStage();
after(() => stage.stop());
const root = await stage.arrive('Root', 'administrator');
const lead = await stage.arrive('Lead');
const member = await stage.arrive('Member');
const idOf = async (visitor: Visitor) => (await visitor.ok('GET /console/session')).person!.id;
const enter = (projectId: string, email: string, role: 'member' | 'lead') =>
  root.ok('PUT /console/projects/:projectId/members', { projectId, body: { email, role } });
for (const id of ['alpha', 'beta', 'gamma'])
  await root.ok('POST /console/administration/projects', { body: { id } });
await enter('alpha', 'lead@example.org', 'lead');
for (const id of ['alpha', 'beta', 'gamma']) await enter(id, 'member@example.org', 'member');

test('a lead sees and limits the own project, and no other; a member of three sees none of their insides', async () => {
  const page = await lead.ok('GET /console/projects/:projectId', { projectId: 'alpha' });
  assert.deepEqual(
    page.members.map(({ email, role }) => `${email} ${role}`),
    ['lead@example.org lead', 'member@example.org member'],
  );
  await lead.ok('GET /console/projects/:projectId/usage', { projectId: 'alpha', query: { by: 'person' } });
  for (const name of [
    'GET /console/projects/:projectId',
    'GET /console/projects/:projectId/usage',
  ] as const) {
    const query = { by: 'person' };
    await lead.refused(name, 404, 'not_found', { projectId: 'beta', query });
    for (const projectId of ['alpha', 'beta', 'gamma'])
      await member.refused(name, 403, 'permission_denied', { projectId, query });
  }
  await root.ok('PUT /console/administration/limits', {
    body: { scope: 'project', subjectId: 'alpha', modelId: null, limits: { costPerMonth: 500 } },
  });
  const { projects } = await root.ok('GET /console/administration/projects');
  const alpha = projects.find(({ id }) => id === 'alpha');
  assert.deepEqual([alpha?.members, alpha?.leads, alpha?.standing[0]?.left], [2, ['Lead'], 500]);
  const own = await member.ok('GET /console/standing');
  assert.deepEqual(
    own.projects.map(({ id, leads }) => [id, ...leads]),
    [['everyone'], ['alpha', 'Lead'], ['beta'], ['gamma']],
  );
});

test('a list of addresses becomes one link each, and whoever accepts is in the projects of the invitation', async () => {
  const wishes = { role: 'person', expiresInDays: 7 } as const;
  const { invited, known } = await root.ok('POST /console/administration/invitations/many', {
    body: {
      ...wishes,
      emails: ['new@example.org', 'NEW@example.org', 'lead@example.org'],
      projects: ['beta'],
    },
  });
  assert.deepEqual(
    [invited.map(({ email }) => email), known],
    [['new@example.org'], [{ email: 'lead@example.org' }]],
  );
  assert.ok((await lead.ok('GET /console/standing')).projects.some(({ id }) => id === 'beta'));
  const before = stage.dump();
  for (const wrong of [{ emails: ['nobody'] }, { emails: [] }, { emails: ['a@example.org'], role: 'god' }])
    await root.refused('POST /console/administration/invitations/many', 400, 'invalid_parameter', {
      body: { ...wishes, ...wrong },
    });
  await root.refused('POST /console/administration/invitations/many', 404, 'not_found', {
    body: { ...wishes, emails: ['a@example.org'], projects: ['nowhere'] },
  });
  assert.equal(stage.dump(), before, 'what is wrong invites nobody');

  // A project that is gone by then is no reason to keep somebody out.
  await root.ok('POST /console/administration/projects', { body: { id: 'short-lived' } });
  const { url } = await root.ok('POST /console/administration/invitations', {
    body: { ...wishes, email: 'newer@example.org', projects: ['short-lived', 'beta', 'everyone'] },
  });
  await root.ok('DELETE /console/administration/projects/:projectId', { projectId: 'short-lived' });
  const newcomer = stage.visitor();
  await newcomer.ok('POST /console/invitation/accept', {
    body: { token: url.slice(url.indexOf('#') + 1), name: 'New', email: 'newer@example.org', password },
  });
  assert.deepEqual(
    (await newcomer.ok('GET /console/standing')).projects.map(({ id }) => id),
    ['everyone', 'beta'],
  );
});

test('all keys are found by owner, project and state, and withdrawn one, many or all of a person', async () => {
  const make = async (visitor: Visitor, name: string, projectId?: string) =>
    (await visitor.ok('POST /console/keys', { body: { name, ...(projectId && { projectId }) } })).key;
  const first = await make(member, 'first', 'alpha');
  await make(member, 'second', 'beta');
  const third = await make(lead, 'third', 'alpha');
  await root.ok('PUT /console/administration/limits', {
    body: { scope: 'key', subjectId: first.id, modelId: null, limits: { requestsPerMinute: 7 } },
  });
  const search = async (query: object) =>
    (await root.ok('GET /console/administration/keys', { query })).keys.map(({ name }) => name).sort();
  assert.deepEqual(await search({ projectId: 'alpha' }), ['first', 'third']);
  assert.deepEqual(await search({ q: 'MEMBER@' }), ['first', 'second']);
  assert.deepEqual(await search({ state: 'unused' }), []);
  const [found] = (await root.ok('GET /console/administration/keys', { query: { q: 'first' } })).keys;
  assert.deepEqual([found?.owner.email, found?.limits], ['member@example.org', { requestsPerMinute: 7 }]);
  const page = await root.ok('GET /console/administration/keys', { query: { limit: 2 } });
  assert.deepEqual([page.keys.length, page.total, page.nextCursor], [2, 3, 2]);

  const revoke = (keyIds: string[]) =>
    root.ok('POST /console/administration/keys/revoke', { body: { keyIds } });
  assert.equal((await revoke([third.id, 'key_unknown'])).revoked, 1);
  assert.equal((await revoke([third.id])).revoked, 0, 'it does not work any more already');
  const personId = await idOf(member);
  assert.deepEqual(await root.ok('DELETE /console/administration/people/:personId/keys', { personId }), {
    revoked: 2,
  });
  assert.deepEqual(await search({ state: 'revoked' }), ['first', 'second', 'third']);
  const { entries } = await root.ok('GET /console/administration/audit', { query: { kind: 'key-revoked' } });
  assert.equal(entries.length, 3, 'each is in the audit, once');
});

test('usage is told by everything, in the figures of the books, and as CSV', async () => {
  const personId = await idOf(member);
  const now = Date.now();
  const applier = openUsageApplier(stage.storage.usageApplier.location);
  applier.apply([
    {
      ...sampleRecord('r1'),
      startedAt: now,
      door: 'chat',
      caller: { kind: 'person', personId },
      project: 'alpha',
    },
    {
      ...sampleRecord('r2'),
      startedAt: now,
      door: 'direct',
      caller: { kind: 'network', cidr: '10.0.0.0/8', project: 'beta' },
      project: 'beta',
    },
  ]);
  applier.close();
  const groups = async (by: 'project' | 'person' | 'network' | 'model' | 'day', more: object = {}) =>
    (await root.ok('GET /console/administration/usage', { query: { by, ...more } })).groups.map(
      ({ group, requests }) => `${group} ${requests}`,
    );
  assert.deepEqual((await groups('project')).sort(), ['alpha 1', 'beta 1']);
  assert.deepEqual(await groups('network', { projectId: 'beta' }), ['10.0.0.0/8 1']);
  assert.deepEqual(await groups('person', { personId }), [`${personId} 1`]);
  const { days } = await root.ok('GET /console/administration/usage', { query: { by: 'project' } });
  assert.deepEqual(days.map(({ group, requests }) => `${group} ${requests}`).sort(), ['alpha 1', 'beta 1']);
  const csv = await root.call('GET /console/administration/usage.csv', { query: { by: 'person' } });
  assert.match(csv.text, /^person,label,requests,.*\r\n/);
  assert.match(csv.text, /member@example\.org,1,/);
  await root.refused('GET /console/administration/usage', 400, 'invalid_parameter', {
    query: { by: 'shoe' },
  });
  const ofLead = await lead.ok('GET /console/projects/:projectId/usage', {
    projectId: 'alpha',
    query: { by: 'person' },
  });
  assert.deepEqual(
    ofLead.groups.map(({ label, requests }) => `${label} ${requests}`),
    ['member@example.org 1'],
  );
});

test('somebody is exported and removed only once disabled, and nothing of them is left but the books', async () => {
  const leaver = await stage.arrive('Leaver');
  const personId = await idOf(leaver);
  await enter('alpha', 'leaver@example.org', 'member');
  const { key } = await leaver.ok('POST /console/keys', { body: { name: 'mine', projectId: 'alpha' } });
  for (const [scope, subjectId] of [
    ['person', personId],
    ['key', key.id],
  ] as const)
    await root.ok('PUT /console/administration/limits', {
      body: { scope, subjectId, modelId: null, limits: { requestsPerMinute: 3 } },
    });
  const { id: chatId } = await leaver.ok('POST /console/chats', {
    body: { title: 'a private title', model: 'beta-4-scout' },
  });
  await leaver.ok('POST /console/chats/:chatId/messages', {
    chatId,
    body: { parentId: null, role: 'user', content: 'a private thought' },
  });
  const take = (part: 'account' | 'chats') =>
    root.call('GET /console/administration/people/:personId/export', { personId, query: { part } });
  assert.equal((await take('chats')).status, 409, 'nobody reads the chats of somebody who is here');
  await root.refused('DELETE /console/administration/people/:personId', 409, 'conflict', { personId });
  const account = await take('account');
  assert.match(account.text, /leaver@example\.org/);
  assert.doesNotMatch(account.text, /private|digest|passwordHash/);
  const notices = await leaver.ok('GET /console/account/notices');
  assert.ok(
    notices.entries.some(({ kind }) => kind === 'person-exported'),
    'the person is told',
  );

  await root.ok('PATCH /console/administration/people/:personId', { personId, body: { state: 'disabled' } });
  assert.match((await take('chats')).text, /a private thought/);
  await root.ok('DELETE /console/administration/people/:personId', { personId });
  await root.refused('GET /console/administration/people/:personId', 404, 'not_found', { personId });
  const left = JSON.parse(stage.dump()) as [string, unknown[]][];
  const places = left.flatMap(([table, rows]) =>
    [personId, key.id].some((id) => JSON.stringify(rows).includes(id)) ? table : [],
  );
  assert.deepEqual(
    places.sort(),
    ['access_changes', 'audit_entries'],
    'it is told who was removed, and no more',
  );
  assert.doesNotMatch(stage.dump(), /a private/);
  const self = { personId: await idOf(root) };
  await root.refused('DELETE /console/administration/people/:personId', 409, 'conflict', self);
});

test('the trail is found by kind and by anybody involved, exported as lines, and says where it was broken', async () => {
  const search = async (query: object) =>
    (await root.ok('GET /console/administration/audit', { query })).entries;
  const personId = await idOf(lead);
  const involved = await search({ who: 'lead@example.org' });
  assert.ok(involved.length > 0);
  assert.ok(involved.every(({ by, person }) => by.id === personId || person?.id === personId));
  assert.deepEqual(await search({ who: 'nobody@example.org' }), []);
  const lines = await root.call('GET /console/administration/audit.jsonl', {
    query: { kind: 'project-created' },
  });
  assert.deepEqual(
    lines.text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { detail: { project: string } }).detail.project),
    ['alpha', 'beta', 'gamma', 'short-lived'],
  );
  const whole = await root.ok('GET /console/administration/audit/verdict');
  assert.equal(whole.brokenAt, null);
  const database = new DatabaseSync(join(stage.dataDir, 'gatehouse.db'));
  database.exec('DROP TRIGGER audit_entries_never_change');
  database.exec(`UPDATE audit_entries SET detail = '{}' WHERE position = 3`);
  database.close();
  assert.deepEqual((await root.ok('GET /console/administration/audit/verdict')).brokenAt, 3);
});

test('people stand as people count, and every one of them is found page by page', async () => {
  for (const name of ['Guest10', 'Guest2']) {
    await stage.arrive(name);
    await enter('gamma', `${name.toLowerCase()}@example.org`, 'member');
  }
  const list = (query: object) => root.ok('GET /console/administration/people', { query });
  const emails = (of: readonly { readonly email: string }[]) => of.map(({ email }) => email.split('@')[0]);
  assert.deepEqual(emails((await list({ q: 'guest' })).people), ['guest2', 'guest10']);
  const { members } = await root.ok('GET /console/projects/:projectId', { projectId: 'gamma' });
  assert.deepEqual(emails(members).slice(0, 2), ['guest2', 'guest10']);
  const page = await list({ q: 'guest', limit: 1 });
  const next = await list({ q: 'guest', limit: 1, cursor: page.nextCursor });
  assert.deepEqual([...emails(page.people), ...emails(next.people)], ['guest2', 'guest10']);
});
