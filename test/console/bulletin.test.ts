import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStage } from './stage.ts';

const hour = 3_600_000;
const plain = {
  kind: 'warning',
  startsAt: null,
  endsAt: null,
  isDismissible: true,
  isOnStatusPage: false,
} as const;

test('an announcement is shown from its beginning to its end, and put away by whom it was put away', async () => {
  await using stage = await startStage({ statusReaders: 'everybody' });
  const root = await stage.arrive('Root', 'administrator');
  const bob = await stage.arrive('Bob');
  const now = Date.now();
  const make = (body: object) =>
    root.ok('POST /console/administration/announcements', { body: { ...plain, ...body } as never });
  const shown = async (visitor = bob) => {
    stage.advance(3000);
    const { announcements } = await visitor.ok('GET /console/announcements');
    return announcements.map(({ text }) => text);
  };
  const hostile = '<img src=x onerror=alert(1)>\u202Eevil {{7*7}} \u0000';
  const { id } = await make({ text: hostile });
  await make({ text: 'tomorrow', kind: 'outage', startsAt: now + 20 * hour, endsAt: now + 22 * hour });
  const stays = await make({ text: 'stays', isDismissible: false, isOnStatusPage: true });

  assert.deepEqual(await shown(), ['stays', hostile.trim()]);
  await bob.ok('POST /console/announcements/:announcementId/dismiss', { announcementId: id });
  await bob.refused('POST /console/announcements/:announcementId/dismiss', 409, 'conflict', {
    announcementId: stays.id,
  });
  assert.deepEqual(await shown(), ['stays']);
  assert.deepEqual(await shown(root), ['stays', hostile.trim()]);
  stage.advance(21 * hour);
  assert.deepEqual(await shown(), ['tomorrow', 'stays'], 'the gravest first');
  stage.advance(2 * hour);
  await root.ok('PATCH /console/administration/announcements/:announcementId', {
    announcementId: stays.id,
    body: { endsAt: now + hour },
  });
  assert.deepEqual(await shown(), []);
  await root.ok('DELETE /console/administration/announcements/:announcementId', { announcementId: id });
  assert.deepEqual(await shown(root), []);

  for (const wrong of [{ text: '' }, { text: 'x'.repeat(501) }, { text: 'x', kind: 'party' }])
    await root.refused('POST /console/administration/announcements', 400, 'invalid_parameter', {
      body: { ...plain, ...wrong },
    });
  await root.refused('POST /console/administration/announcements', 400, 'invalid_parameter', {
    body: { ...plain, text: 'ends before it begins', startsAt: now + hour, endsAt: now },
  });
  const { entries } = await root.ok('GET /console/administration/audit');
  const kinds = entries.map(({ kind }) => kind).filter((kind) => kind.startsWith('announcement'));
  assert.deepEqual(kinds.toReversed(), [
    'announcement-made',
    'announcement-made',
    'announcement-made',
    'announcement-changed',
    'announcement-removed',
  ]);
});

test('no more is kept than can be looked after', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const make = { body: { ...plain, text: 'again' } } as const;
  const { id: _id, ...kept } = await root.ok('POST /console/administration/announcements', make);
  for (let count = 1; count < 100; count++)
    await stage.storage.bulletin.putAnnouncement({ ...kept, id: `ann_${count}`, endsAt: undefined });
  await root.refused('POST /console/administration/announcements', 409, 'conflict', make);
});

test('incidents are told in words until they are over, and while they go on nothing is said to be fine', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const bob = await stage.arrive('Bob');
  const report = async () => {
    stage.advance(11_000);
    return bob.ok('GET /console/status');
  };
  await stage.visitor().refused('GET /console/status', 401, 'sign_in_required');
  const whole = await report();
  assert.equal(whole.state, 'operational');
  const today = await bob.ok('GET /console/status', { query: { days: 'today' } });
  assert.deepEqual(
    today.models.map(({ days }) => days),
    whole.models.map(({ days }) => days.slice(-1)),
  );

  const { id: incidentId } = await root.ok('POST /console/administration/incidents', {
    body: { title: 'Slow', impact: 'degraded', models: ['beta-4-scout'], text: 'We look into it.' },
  });
  const during = await report();
  assert.equal(during.state, 'degraded');
  assert.deepEqual(
    during.models.map(({ state }) => state),
    ['degraded', 'operational'],
  );
  const update = 'POST /console/administration/incidents/:incidentId/updates';
  await root.ok(update, { incidentId, body: { text: 'Mended.', resolves: true } });
  await root.refused(update, 409, 'conflict', { incidentId, body: { text: 'again', resolves: false } });
  const after = await report();
  assert.equal(after.state, 'operational');
  assert.deepEqual(
    after.incidents[0]!.updates.map(({ text }) => text),
    ['We look into it.', 'Mended.'],
  );
  assert.ok(after.incidents[0]!.resolvedAt! > during.at);
  await root.refused('POST /console/administration/incidents', 400, 'invalid_parameter', {
    body: { title: 'x', impact: 'outage', models: ['no-such-model'], text: 'x' },
  });
  stage.advance(100 * 24 * hour);
  const later = await (await stage.arrive('Late')).ok('GET /console/status');
  assert.deepEqual(later.incidents, []);
});
