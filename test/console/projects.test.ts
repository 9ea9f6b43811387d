import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStage } from './stage.ts';
import type { Visitor } from './visitor.ts';

const idOf = async (visitor: Visitor) => (await visitor.ok('GET /console/session')).person!.id;

test('administrators make projects, leads look after their members, and everybody sees where they stand', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const lead = await stage.arrive('Lead');
  const student = await stage.arrive('Student');
  const projectId = 'course';
  const endsAt = Date.now() + 86_400_000;
  const made = await root.ok('POST /console/administration/projects', {
    body: { id: projectId, name: 'A course', weight: 2, models: ['beta-4-scout'], endsAt },
  });
  assert.deepEqual([made.name, made.weight, made.role, made.endsAt], ['A course', 2, null, endsAt]);
  const join = (visitor: Visitor, email: string, role: 'member' | 'lead') =>
    visitor.call('PUT /console/projects/:projectId/members', { projectId, body: { email, role } });
  assert.equal((await join(root, 'lead@example.org', 'lead')).status, 200);
  assert.equal((await join(lead, 'student@example.org', 'member')).status, 200);
  assert.equal((await join(lead, 'student@example.org', 'lead')).status, 403, 'a lead names no leads');
  assert.equal((await join(lead, 'lead@example.org', 'member')).status, 403);
  assert.equal((await join(student, 'root@example.org', 'member')).status, 403);
  await student.refused('GET /console/projects/:projectId/members', 403, 'permission_denied', { projectId });

  const body = { modelId: 'beta-4-scout', limits: { costPerDay: 100, requestsAtOnce: 2 } };
  await lead.ok('PUT /console/projects/:projectId/member-limits', { projectId, body });
  await root.ok('PUT /console/administration/limits', {
    body: { scope: 'project', subjectId: projectId, modelId: null, limits: { costInTotal: 5000 } },
  });
  const { key } = await student.ok('POST /console/keys', { body: { name: 'night', projectId } });
  assert.deepEqual([key.projectId, key.isBackground], [projectId, false]);
  await root.ok('PUT /console/administration/limits', {
    body: { scope: 'key', subjectId: key.id, modelId: null, limits: { tokensPerMinute: 10 } },
  });
  const own = await student.ok('GET /console/standing');
  assert.deepEqual(
    own.projects.map(({ id, role }) => `${id} ${role}`),
    ['everyone member', 'course member'],
  );
  assert.deepEqual(
    own.standing
      .map(({ scope, keyId, projectId: of, modelId, limit, left }) =>
        [scope, keyId === key.id ? 'the key' : keyId, of, modelId, limit, left].join(' '),
      )
      .sort(),
    [
      'key the key   tokensPerMinute 10',
      'member  course beta-4-scout costPerDay 100',
      'member  course beta-4-scout requestsAtOnce 2',
      'person    requestsPerMinute 60',
      'project  course  costInTotal 5000',
    ],
  );
  const personId = await idOf(student);
  const seen = await root.ok('GET /console/administration/people/:personId/standing', { personId });
  const lines = (of: typeof own.standing) => of.map((line) => ({ ...line, renewsAt: undefined }));
  assert.deepEqual(lines(seen.standing), lines(own.standing), 'whoever looks after them sees the same');
  const { exceptions } = await lead.ok('GET /console/projects/:projectId/member-limits', { projectId });
  assert.deepEqual(exceptions, [{ scope: 'member', subjectId: projectId, ...body }]);

  const { members } = await lead.ok('DELETE /console/projects/:projectId/members/:personId', {
    projectId,
    personId,
  });
  assert.deepEqual(
    members.map(({ email, role }) => [email, role]),
    [['lead@example.org', 'lead']],
  );
  const notices = await student.ok('GET /console/account/notices');
  assert.deepEqual(
    notices.entries.map(({ kind, detail }) => [kind, detail['project'], detail['role']]),
    [
      ['project-member-removed', 'A course', undefined],
      ['limits-changed', undefined, undefined],
      ['project-member-added', 'A course', 'member'],
    ],
  );
  await root.ok('DELETE /console/administration/projects/:projectId', { projectId });
  await lead.refused('GET /console/projects/:projectId/members', 404, 'not_found', { projectId });
  assert.deepEqual(
    (await root.ok('GET /console/administration/limits')).exceptions.map(({ scope }) => scope),
    ['key'],
    'its limits went with it',
  );
});

test('wrong wishes are refused with their parameter, and write nothing', async () => {
  const inTheFile = { name: 'File', description: '', weight: 1, models: [], endsAt: undefined, groups: [] };
  await using stage = await startStage({
    projects: [
      { id: 'written', ...inTheFile, sharesPrompts: false, isConfigured: true, limits: {}, memberLimits: {} },
    ],
  });
  const root = await stage.arrive('Root', 'administrator');
  const before = stage.dump();
  for (const [param, wish] of [
    ['id', { id: 'Not this' }],
    ['weight', { weight: 1001 }],
    ['models', { models: ['nothing'] }],
    ['endsAt', { endsAt: 1000 }],
    ['name', { name: 'two\nlines' }],
    ['groups', { groups: [' '] }],
  ] as const) {
    const answer = await root.call('POST /console/administration/projects', { body: { id: 'a', ...wish } });
    const { error } = answer.body as { error: { code: string; param: string } };
    assert.deepEqual([answer.status, error.code, error.param], [400, 'invalid_parameter', param]);
  }
  for (const amount of [-1, 0.5, 1e300])
    await root.refused('PUT /console/administration/limits', 400, 'invalid_parameter', {
      body: { scope: 'project', subjectId: 'written', modelId: null, limits: { requestsAtOnce: amount } },
    });
  const written = { projectId: 'written' };
  await root.refused('PATCH /console/administration/projects/:projectId', 409, 'conflict', {
    ...written,
    body: { weight: 2 },
  });
  await root.refused('DELETE /console/administration/projects/:projectId', 409, 'conflict', written);
  await root.refused('POST /console/administration/projects', 409, 'conflict', { body: { id: 'written' } });
  assert.equal(stage.dump(), before);
});
