import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { consoleRoutes, type RouteName } from '#contract/routes';
import type { RouteDefinition } from '#contract/route';
import { waitUntil } from '#harness/wait-until';
import { noUsage } from '#vocabulary/usage';
import { openUsageApplier } from '../../src/storage/usage-applier.ts';
import { startStage, tester } from './stage.ts';
import type { Loose, Visitor } from './visitor.ts';

/** What one person owns, to be tried by another. */
interface Belongings {
  readonly chatId: string;
  readonly folderId: string;
  readonly presetId: string;
  readonly spacePresetId: string;
  readonly messageId: string;
  readonly deletedChatId: string;
  readonly deletedMessageId: string;
  readonly generationId: string;
  /** An answer that was stopped. */
  readonly cutChatId: string;
  readonly cutMessageId: string;
  /** Begun, with nothing of it sent yet. */
  readonly documentId: string;
  readonly keyId: string;
  /** Of an answer that has a receipt. */
  readonly requestId: string;
  readonly sessionId: string;
  /** A project that they lead. */
  readonly projectId: string;
  /** Shared in the space of that project. */
  readonly sharedChatId: string;
  readonly spaceDocumentId: string;
  /** Somebody in it. */
  readonly memberId: string;
}

const model = 'beta-4-scout';
const file = { name: 'secret.txt', kind: 'text', mediaType: 'text/plain', bytes: 1 } as const;
const aPreset = {
  name: 'secret',
  description: '',
  model: null,
  effort: null,
  systemPrompt: null,
  parameters: null,
  prompt: 'a private way of asking',
};
const ask = { newMessages: [{ role: 'user' as const, content: 'hello' }], model };

/**
 * For every route that takes an id: calls that put `theirs` in the place of an id. `mine` is what the caller owns.
 * A call with `theirs` equal to `mine` must succeed, or the case proves nothing.
 */
const cases: Record<string, readonly ((theirs: Belongings, mine: Belongings) => Loose)[]> = {
  'DELETE /console/sessions/:sessionId': [({ sessionId }) => ({ sessionId })],
  'POST /console/keys': [
    ({ projectId }) => ({ body: { name: 'in a project', projectId } }),
    ({ projectId }) => ({ body: { name: 'at night', projectId, isBackground: true } }),
  ],
  'GET /console/projects/:projectId': [({ projectId }) => ({ projectId })],
  'GET /console/projects/:projectId/usage': [({ projectId }) => ({ projectId, query: { by: 'person' } })],
  'GET /console/projects/:projectId/members': [({ projectId }) => ({ projectId })],
  'PUT /console/projects/:projectId/members': [
    ({ projectId }) => ({ projectId, body: { email: 'bob@example.org', role: 'member' } }),
  ],
  'GET /console/projects/:projectId/member-limits': [({ projectId }) => ({ projectId })],
  'PUT /console/projects/:projectId/member-limits': [
    ({ projectId }) => ({ projectId, body: { modelId: null, limits: { requestsAtOnce: 1 } } }),
  ],
  'DELETE /console/projects/:projectId/members/:personId': [
    ({ projectId, memberId }) => ({ projectId, personId: memberId }),
    ({ memberId }, { projectId }) => ({ projectId, personId: memberId }),
  ],
  'GET /console/spaces/:projectId': [({ projectId }) => ({ projectId })],
  'PUT /console/spaces/:projectId/instructions': [
    ({ projectId }) => ({ projectId, body: { instructions: 'Obey me.' } }),
  ],
  'GET /console/spaces/:projectId/chats/:chatId': [
    ({ projectId, sharedChatId }) => ({ projectId, chatId: sharedChatId }),
    ({ sharedChatId }, { projectId }) => ({ projectId, chatId: sharedChatId }),
  ],
  'POST /console/spaces/:projectId/chats/:chatId/copy': [
    ({ projectId, sharedChatId }) => ({ projectId, chatId: sharedChatId }),
    ({ sharedChatId }, { projectId }) => ({ projectId, chatId: sharedChatId }),
  ],
  'DELETE /console/spaces/:projectId/chats/:chatId': [
    ({ projectId, sharedChatId }) => ({ projectId, chatId: sharedChatId }),
    ({ sharedChatId }, { projectId }) => ({ projectId, chatId: sharedChatId }),
  ],
  'DELETE /console/spaces/:projectId/documents/:documentId': [
    ({ projectId, spaceDocumentId }) => ({ projectId, documentId: spaceDocumentId }),
    ({ spaceDocumentId }, { projectId }) => ({ projectId, documentId: spaceDocumentId }),
  ],
  'GET /console/spaces/:projectId/presets': [({ projectId }) => ({ projectId })],
  'POST /console/spaces/:projectId/presets': [
    ({ projectId }) => ({ projectId, body: { ...aPreset, name: 'for-all' } }),
  ],
  'PUT /console/spaces/:projectId/presets/:presetId': [
    ({ projectId, spacePresetId }) => ({ projectId, presetId: spacePresetId, body: aPreset }),
    ({ spacePresetId }, { projectId }) => ({ projectId, presetId: spacePresetId, body: aPreset }),
  ],
  'DELETE /console/spaces/:projectId/presets/:presetId': [
    ({ projectId, spacePresetId }) => ({ projectId, presetId: spacePresetId }),
    ({ spacePresetId }, { projectId }) => ({ projectId, presetId: spacePresetId }),
  ],
  'GET /console/chats/:chatId/space': [({ chatId }) => ({ chatId })],
  'PUT /console/chats/:chatId/space': [
    ({ chatId, projectId }) => ({ chatId, body: { projectId } }),
    ({ projectId }, { chatId }) => ({ chatId, body: { projectId } }),
    ({ chatId }, { projectId }) => ({ chatId, body: { projectId } }),
  ],
  'DELETE /console/chats/:chatId/space': [
    ({ chatId }) => ({ chatId, query: { what: 'share' } }),
    ({ chatId }) => ({ chatId, query: { what: 'place' } }),
  ],
  'POST /console/documents': [
    ({ projectId }) => ({ body: { ...file, projectId } }),
    ({ projectId }) => ({ body: { ...file, bytes: 0, projectId } }),
  ],
  'PATCH /console/keys/:keyId': [({ keyId }) => ({ keyId, body: { name: 'renamed' } })],
  'POST /console/keys/:keyId/rotate': [({ keyId }) => ({ keyId, body: { overlapHours: 1 } })],
  'DELETE /console/keys/:keyId': [({ keyId }) => ({ keyId })],
  'GET /console/chats': [
    ({ folderId }) => ({ query: { folder: folderId } }),
    ({ folderId }) => ({ query: { folder: folderId, archived: 'with' } }),
  ],
  'GET /console/chats/:chatId': [({ chatId }) => ({ chatId })],
  'PATCH /console/chats/:chatId': [
    ({ chatId }) => ({ chatId, body: { title: 'mine now' } }),
    ({ messageId }, { chatId }) => ({ chatId, body: { activeLeafId: messageId } }),
    ({ folderId }, { chatId }) => ({ chatId, body: { folderId } }),
  ],
  'PUT /console/chats/:chatId/messages/:messageId/summary': [
    ({ chatId, messageId }) => ({ chatId, messageId, body: { text: 'Mine now' } }),
    ({ messageId }, { chatId }) => ({ chatId, messageId, body: { text: 'Mine now' } }),
  ],
  'DELETE /console/chats/:chatId/messages/:messageId/summary': [
    ({ chatId, messageId }) => ({ chatId, messageId }),
    ({ messageId }, { chatId }) => ({ chatId, messageId }),
  ],
  'GET /console/chats/:chatId/export': [
    ({ chatId }) => ({ chatId, query: { format: 'json' } }),
    ({ chatId }) => ({ chatId, query: { format: 'markdown' } }),
  ],
  'POST /console/chats/:chatId/messages': [
    ({ chatId }) => ({ chatId, body: { parentId: null, role: 'user', content: 'smuggled' } }),
    ({ messageId }, { chatId }) => ({
      chatId,
      body: { parentId: messageId, role: 'user', content: 'smuggled' },
    }),
  ],
  'PUT /console/chats/:chatId/share': [
    ({ chatId, messageId }) => ({ chatId, body: { leafId: messageId } }),
    ({ messageId }, { chatId }) => ({ chatId, body: { leafId: messageId } }),
  ],
  'DELETE /console/chats/:chatId/share': [({ chatId }) => ({ chatId })],
  'POST /console/generations': [
    ({ chatId, messageId }) => ({
      body: { ...ask, chatId, parentId: messageId, requestKey: `key-a-${chatId}` },
    }),
    ({ messageId }, { chatId }) => ({
      body: { ...ask, chatId, parentId: messageId, requestKey: `key-b-${messageId}` },
    }),
    ({ projectId }) => ({
      body: { ...ask, chatId: null, parentId: null, projectId, requestKey: `key-d-${projectId}` },
    }),
    ({ documentId }, { chatId }) => ({
      body: {
        ...ask,
        newMessages: [{ role: 'user', content: 'what does it say?', documents: [documentId] }],
        chatId,
        parentId: null,
        requestKey: `key-c-${documentId}`,
      },
    }),
  ],
  'POST /console/generations/continue': [
    ({ cutChatId, cutMessageId }) => ({
      body: { chatId: cutChatId, messageId: cutMessageId, requestKey: `go-on-a-${cutMessageId}` },
    }),
    ({ cutMessageId }, { chatId }) => ({
      body: { chatId, messageId: cutMessageId, requestKey: `go-on-b-${cutMessageId}` },
    }),
  ],
  'POST /console/context': [
    ({ chatId, messageId }) => ({ body: { chatId, parentId: messageId, content: '', model } }),
    ({ messageId }, { chatId }) => ({ body: { chatId, parentId: messageId, content: '', model } }),
    ({ projectId }) => ({ body: { chatId: null, parentId: null, content: '', projectId, model } }),
    ({ documentId }) => ({
      body: { chatId: null, parentId: null, content: '', documents: [documentId], model },
    }),
  ],
  'PUT /console/documents/:documentId/original/:part': [
    ({ documentId }) => ({ documentId, part: 0, bytes: new Uint8Array([1]) }),
  ],
  'POST /console/documents/:documentId/pages': [
    ({ documentId }) => ({ documentId, body: { pages: [{ number: 1, text: 'smuggled' }] } }),
  ],
  'POST /console/documents/:documentId/complete': [
    ({ documentId }) => ({ documentId, body: { digest: digestOf([1]), pageCount: 1 } }),
  ],
  'GET /console/documents/:documentId': [
    ({ documentId }) => ({ documentId }),
    ({ spaceDocumentId }) => ({ documentId: spaceDocumentId }),
  ],
  'GET /console/documents/:documentId/pages': [({ documentId }) => ({ documentId, query: { from: 1 } })],
  'GET /console/documents/:documentId/original': [({ documentId }) => ({ documentId })],
  'DELETE /console/documents/:documentId': [({ documentId }) => ({ documentId })],
  'GET /console/receipts/:requestId': [({ requestId }) => ({ requestId })],
  'POST /console/generations/:generationId/stop': [({ generationId }) => ({ generationId })],
  'POST /console/generations/:generationId/consent': [
    ({ generationId }) => ({ generationId, body: { decision: 'once' } }),
  ],
  'POST /console/chats/:chatId/messages/:messageId/restore': [
    ({ chatId, deletedMessageId }) => ({ chatId, messageId: deletedMessageId }),
    ({ deletedMessageId }, { chatId }) => ({ chatId, messageId: deletedMessageId }),
  ],
  'DELETE /console/chats/:chatId/messages/:messageId': [
    ({ chatId, messageId }) => ({ chatId, messageId }),
    ({ messageId }, { chatId }) => ({ chatId, messageId }),
  ],
  'PUT /console/chats/:chatId/messages/:messageId/feedback': [
    ({ cutChatId, cutMessageId }) => ({
      chatId: cutChatId,
      messageId: cutMessageId,
      body: { feedback: { verdict: 'bad', word: 'wrong' } },
    }),
    ({ cutMessageId }, { chatId }) => ({
      chatId,
      messageId: cutMessageId,
      body: { feedback: { verdict: 'good', word: null } },
    }),
  ],
  'POST /console/chats/:chatId/restore': [({ deletedChatId }) => ({ chatId: deletedChatId })],
  'PUT /console/presets/:presetId': [
    ({ presetId }) => ({ presetId, body: { ...aPreset, name: 'mine-now' } }),
  ],
  'DELETE /console/presets/:presetId': [({ presetId }) => ({ presetId })],
  'PATCH /console/folders/:folderId': [({ folderId }) => ({ folderId, body: { name: 'mine now' } })],
  'DELETE /console/folders/:folderId': [({ folderId }) => ({ folderId })],
  'DELETE /console/chats/:chatId': [({ chatId }) => ({ chatId })],
};

function digestOf(bytes: readonly number[]): string {
  return createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
}

const routes = Object.entries(consoleRoutes) as [RouteName, RouteDefinition][];

function takesIds([name, route]: [RouteName, RouteDefinition]): boolean {
  return (/:/.test(name) || route.innerIds !== undefined) && route.pathIsCapability !== true;
}

test('every route that takes an id of a person has a case, with one call for each id inside', () => {
  for (const [name, route] of routes.filter(takesIds)) {
    if (route.access === 'administrator') continue;
    const calls = cases[name] ?? [];
    const isKnown = calls.length > 0 && (route.innerIds === undefined || calls.length > 1);
    assert.ok(isKnown, `${name} takes an id: say how somebody else would try it`);
  }
});

test('nobody reaches what belongs to another person, and trying writes nothing', async () => {
  await using stage = await startStage();
  const alice = await stage.arrive('Alice');
  const bob = await stage.arrive('Bob');
  const hers = await own(alice, stage);
  const his = await own(bob, stage);

  for (const [name, calls] of Object.entries(cases) as [RouteName, (typeof cases)[string]][]) {
    for (const [index, makeCall] of calls.entries()) {
      const before = stage.dump();
      await bob.refused(name, 404, 'not_found', makeCall(hers, his));
      assert.equal(stage.dump(), before, `${name} (${index}) wrote something`);
    }
  }
  assert.equal(stage.inference.answers.length, 4, 'nothing reached the engine');
  assert.ok(
    stage.inference.answers.every(({ ask }) => !ask.cancellation.isCancelled),
    'nothing was stopped',
  );

  // The same calls by the owner work: it was the owner that made the difference.
  for (const [name, calls] of Object.entries(cases) as [RouteName, (typeof cases)[string]][]) {
    const [makeCall] = calls;
    assert.ok(makeCall);
    const given = makeCall(hers, hers);
    // An answer of an engine asks its owner nothing.
    const expected = name === 'POST /console/generations/:generationId/consent' ? 409 : 200;
    assert.equal((await alice.call(name, given)).status, expected, name);
  }
});

test('a route for people needs a session, one for administrators an administrator', async () => {
  await using stage = await startStage();
  const stranger = stage.visitor();
  const bob = await stage.arrive('Bob');
  const before = stage.dump();
  for (const [name, route] of routes) {
    const given = Object.fromEntries(
      (name.match(/:(\w+)/g) ?? []).map((parameter) => [parameter.slice(1), 'x']),
    );
    if (route.access !== 'anyone') await stranger.refused(name, 401, 'sign_in_required', given);
    if (route.access === 'administrator') await bob.refused(name, 403, 'permission_denied', given);
  }
  assert.equal(stage.dump(), before);
});

test('an administrator who names somebody unknown gets 404, and keys only under their owner', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  const bob = await stage.arrive('Bob');
  const { key } = await bob.ok('POST /console/keys', { body: { name: 'notebook' } });
  const { people } = await root.ok('GET /console/administration/people', { query: { q: 'root' } });
  const before = stage.dump();
  for (const [name, route] of routes.filter(takesIds)) {
    if (route.access !== 'administrator') continue;
    const ids = {
      personId: people[0]!.id,
      keyId: key.id,
      invitationId: 'x',
      projectId: 'x',
      announcementId: 'x',
      presetId: 'x',
      incidentId: 'x',
      engineName: 'x',
    };
    const unknown = /:keyId/.test(name) ? ids : { ...ids, personId: 'person_unknown' };
    await root.refused(name, 404, 'not_found', {
      ...unknown,
      query: { part: 'account' },
      ...('body' in route && { body: bodyFor(name) }),
    });
  }
  assert.equal(stage.dump(), before);
});

function bodyFor(name: RouteName): object {
  if (/:projectId/.test(name)) return { weight: 2 };
  if (/:presetId/.test(name)) return aPreset;
  if (/:announcementId/.test(name)) return { kind: 'warning' };
  if (/:engineName/.test(name)) return { modelId: 'x' };
  return /:incidentId/.test(name) ? { text: 'x', resolves: true } : { role: 'person' };
}

async function own(visitor: Visitor, stage: Awaited<ReturnType<typeof startStage>>): Promise<Belongings> {
  const create = (title: string) => visitor.ok('POST /console/chats', { body: { title, model } });
  const say = async (chatId: string) => {
    const body = { parentId: null, role: 'user', content: 'a private thought' } as const;
    return (await visitor.ok('POST /console/chats/:chatId/messages', { chatId, body })).id;
  };
  const deleted = await create('deleted');
  await visitor.ok('DELETE /console/chats/:chatId', { chatId: deleted.id });
  const chat = await create('kept');
  const preset = await visitor.ok('POST /console/presets', { body: aPreset });
  const folder = await visitor.ok('POST /console/folders', { body: { name: 'secret' } });
  const deletedMessageId = await say(chat.id);
  await visitor.ok('DELETE /console/chats/:chatId/messages/:messageId', {
    chatId: chat.id,
    messageId: deletedMessageId,
  });
  const messageId = await say(chat.id);
  const summary = { text: 'a thought', model, isEdited: false, requestIds: [], createdAt: 0 };
  await stage.storage.conversations.saveSummary(chat.id, messageId, summary);
  await visitor.ok('PUT /console/chats/:chatId/share', { chatId: chat.id, body: { leafId: messageId } });
  const count = stage.inference.answers.length;
  const { generation } = await visitor.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: 'hi' }],
      model,
      requestKey: 'first-click',
    },
  });
  await stage.inference.asked(count);
  const begun = await visitor.ok('POST /console/generations', {
    body: { ...ask, chatId: null, parentId: null, requestKey: 'second-click' },
  });
  const half = await stage.inference.asked(count + 1);
  half.say('half of an');
  half.cut();
  const cutChatId = begun.chat.id;
  await waitUntil('the answer is interrupted', async () => {
    const { messages } = await visitor.ok('GET /console/chats/:chatId', { chatId: cutChatId });
    return messages.at(-1)?.state === 'interrupted';
  });
  const { id: documentId } = await visitor.ok('POST /console/documents', {
    body: file,
  });
  const { key } = await visitor.ok('POST /console/keys', { body: { name: 'notebook' } });
  const second = stage.visitor();
  const { person } = await visitor.ok('GET /console/session');
  const { url } = await stage.desks.signIn.createOneTimeLink(person!.id, tester);
  await second.ok('POST /console/sign-in/link', { body: { token: url.slice(url.indexOf('=') + 1) } });
  const { sessions } = await second.ok('GET /console/sessions');
  const asker = { by: tester, isAdministrator: true };
  const projectId = `project-of-${person!.name.toLowerCase()}`;
  const member = `member-of-${projectId}`;
  await stage.arrive(member);
  await stage.projectDesk.create(asker, { id: projectId });
  await stage.projectDesk.putMember(asker, projectId, person!.email, 'lead');
  await stage.projectDesk.putMember(asker, projectId, `${member}@example.org`, 'member');
  const shared = await create('shared');
  await visitor.ok('PUT /console/chats/:chatId/space', { chatId: shared.id, body: { projectId } });
  const { id: spaceDocumentId } = await visitor.ok('POST /console/documents', {
    body: { ...file, projectId },
  });
  const { members } = await visitor.ok('GET /console/projects/:projectId/members', { projectId });
  const ofSpace = { projectId, body: aPreset };
  const { id: spacePresetId } = await visitor.ok('POST /console/spaces/:projectId/presets', ofSpace);
  return {
    chatId: chat.id,
    folderId: folder.id,
    presetId: preset.id,
    messageId,
    deletedChatId: deleted.id,
    deletedMessageId,
    generationId: generation.id,
    cutChatId,
    cutMessageId: begun.generation.messageId,
    documentId,
    keyId: key.id,
    requestId: writeReceipt(stage.dataDir, person!.id),
    sessionId: sessions.find(({ isCurrent }) => isCurrent)!.id,
    projectId,
    sharedChatId: shared.id,
    spaceDocumentId,
    spacePresetId,
    memberId: members.find(({ role }) => role === 'member')!.personId,
  };
}

function writeReceipt(dataDir: string, personId: string): string {
  const applier = openUsageApplier(join(dataDir, 'gatehouse.db'));
  const requestId = `request-of-${personId}`;
  const digest = { sha256: '0'.repeat(64), bytes: 0 };
  void applier.apply([
    {
      requestId,
      startedAt: 0,
      door: 'chat',
      caller: { kind: 'person', personId },
      address: '::1',
      endpoint: 'chat/completions',
      model,
      requestBytes: 1,
      project: 'everyone',
      engine: 'one',
      ending: 'completed',
      status: 200,
      usage: noUsage,
      waitMs: 0,
      firstByteMs: 1,
      durationMs: 1,
      cost: 0,
      receipt: JSON.stringify({ engineKind: 'vllm', parameters: {}, prompt: digest, answer: digest }),
    },
  ]);
  void applier.close();
  return requestId;
}
