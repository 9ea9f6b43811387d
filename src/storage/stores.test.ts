import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { databases } from '#harness/databases';
import type { AuditEntry } from '#vocabulary/audit';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import { Refusal } from '#vocabulary/refusal';
import { noUsage } from '#vocabulary/usage';
import type { KeptResponse } from '#vocabulary/response-store';
import { peopleInOrder } from './migrations/102-people-in-order.ts';
import { toPostgres } from './postgres/to-postgres.ts';

/** What the rest of the house may rely on, whichever database is behind the stores. */

const dayMs = 86_400_000;

const ada = {
  id: 'person_ada',
  email: 'Ada@Example.org',
  name: 'Ada',
  role: 'person',
  state: 'active',
  createdAt: 1_000,
  passwordHash: undefined,
} as const;
const bob = { ...ada, id: 'person_bob', email: 'bob@example.org' };

const keyOf = (id: string, digest: string) => ({
  id,
  personId: ada.id,
  name: 'laptop',
  prefix: `gh_${id}`,
  digest,
  createdAt: 2_000,
  expiresAt: undefined,
  models: ['alpha-R1'],
  networks: [],
});

const chatOf = (id: string, title: string, personId: string = ada.id): Chat => ({
  id,
  personId,
  title,
  titleSource: 'person',
  model: 'alpha-R1',
  effort: null,
  systemPrompt: '',
  parameters: {},
  isPinned: false,
  archivedAt: null,
  folderId: null,
  activeLeafId: null,
  share: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  deletedAt: null,
});

const messageOf = (id: string, content: string, parts: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  parentId: null,
  role: 'user',
  content,
  reasoning: '',
  toolCalls: [],
  tool: null,
  requestIds: [],
  feedback: null,
  toolCallId: null,
  documents: [],
  context: null,
  summary: null,
  model: null,
  effort: null,
  finishReason: null,
  usage: null,
  timings: null,
  state: 'complete',
  error: null,
  generationId: null,
  createdAt: 2_000,
  ...parts,
});

for (const { name, build } of databases) {
  test(`${name}: e-mail addresses are unique whatever their letter case`, async () => {
    const storage = await (await build()).open();
    await storage.people.insert(ada);
    const taken = (refusal: unknown) => refusal instanceof Refusal && refusal.code === 'conflict';
    await assert.rejects(storage.people.insert({ ...bob, email: 'ADA@example.ORG' }), taken);
    await storage.people.insert(bob);
    await assert.rejects(storage.people.update(bob.id, { email: 'ada@EXAMPLE.org' }), taken);
    assert.equal((await storage.people.findByEmail(' ada@example.org'))?.email, 'Ada@Example.org');
    assert.deepEqual((await storage.people.list({ search: 'a%', limit: 10 })).length, 0);
    assert.deepEqual((await storage.people.list({ search: 'EXAMPLE', limit: 10 })).length, 2);
    await storage.close();
  });

  test(`${name}: people stand as they are counted on every page, also those of earlier versions`, async () => {
    const house = await build();
    const storage = await house.open();
    const inOrder = [
      'ada',
      'ada01',
      'ada1',
      'ada2',
      'ada10.b3',
      'ada10.b12',
      'bob123456789012',
      'bob1234567890123',
    ];
    for (const local of inOrder.toReversed())
      await storage.people.insert({ ...ada, id: local, email: `${local}@example.org` });
    const pages = async () => {
      const found: string[] = [];
      for (let afterEmail: string | undefined; ;) {
        const [next] = await storage.people.list({ limit: 1, afterEmail });
        if (next === undefined || found.includes(next.id)) return found;
        found.push(next.id);
        afterEmail = next.email;
      }
    };
    assert.deepEqual(await pages(), inOrder);
    await house.execute('DROP INDEX people_in_order; ALTER TABLE people DROP COLUMN email_order;');
    const { sql, postgres = sql } = peopleInOrder;
    await house.execute(name === 'SQLite' ? sql : toPostgres(postgres));
    assert.deepEqual(await pages(), inOrder);
    await house.execute('UPDATE people SET email_order = NULL');
    assert.deepEqual((await pages()).toSorted(), inOrder.toSorted(), 'nobody is left out who has no order');
    await storage.close();
  });

  test(`${name}: an identity belongs to one person, and a failed step leaves nothing of itself`, async () => {
    const storage = await (await build()).open();
    await storage.people.insert(ada);
    await storage.people.insert(bob);
    const identity = { issuer: 'https://login.example.org', subject: '42' };
    await storage.identities.link(ada.id, identity, 5_000);
    assert.equal((await storage.identities.find(identity))?.personId, ada.id);
    await assert.rejects(storage.identities.link(bob.id, identity, 6_000), Refusal);
    await assert.rejects(storage.people.insertManaged({ ...bob, id: 'eve', email: 'eve@x.org' }, identity));
    assert.equal(await storage.people.find('eve'), undefined);
    await storage.keys.insert(keyOf('key_1', 'd1'));
    await assert.rejects(storage.keys.replace('key_1', 50_000, keyOf('key_2', 'd1')));
    assert.equal((await storage.keys.find('key_1'))?.successorId, undefined);
    const limits = { requestsPerMinute: 3 };
    for (const modelId of [undefined, 'alpha-R1'])
      await storage.projects.putLimits({ scope: 'key', subjectId: 'key_1', modelId, limits });
    assert.equal(await storage.keys.replace('key_1', 50_000, keyOf('key_2', 'd2')), true);
    const limited = (await storage.projects.readAll()).limits.map((each) => [
      each.subjectId,
      each.modelId,
      each.limits,
    ]);
    for (const id of ['key_1', 'key_2'])
      for (const modelId of [undefined, 'alpha-R1'])
        assert.ok(
          limited.some((each) => isDeepStrictEqual(each, [id, modelId, limits])),
          `${id} ${modelId}`,
        );
    await storage.close();
  });

  test(`${name}: another connection hears of every change of access and of no mere use`, async () => {
    const house = await build();
    const [here, there] = [await house.open(), await house.open()];
    await here.people.insert(ada);
    await here.keys.insert(keyOf('key_1', 'd1'));
    let { revision } = await there.keys.readAccessChanges(0);
    const look = async () => {
      const changes = await there.keys.readAccessChanges(revision);
      ({ revision } = changes);
      assert.ok(changes.isComplete);
      return { keyIds: changes.keyIds, personIds: changes.personIds };
    };

    await here.keys.noteUses([
      { keyId: 'key_1', usedAt: 9_000, address: '192.0.2.1' },
      { keyId: 'key_gone', usedAt: 9_000, address: '192.0.2.1' },
    ]);
    await here.keys.noteUses([{ keyId: 'key_1', usedAt: 9_001, address: '192.0.2.2' }]);
    await here.people.noteSeen(ada.id, 9_000);
    assert.deepEqual(await look(), { keyIds: [], personIds: [] });
    assert.equal((await there.keys.find('key_1'))?.lastUsedAddress, '192.0.2.2');

    await here.keys.revoke('key_1', 9_500);
    assert.deepEqual(await look(), { keyIds: ['key_1'], personIds: [] });
    assert.deepEqual(await there.keys.readCredentials(), []);

    await here.keys.insert(keyOf('key_2', 'd2'));
    assert.deepEqual(await look(), { keyIds: ['key_2'], personIds: [] });
    assert.equal((await there.keys.readCredentials({ keyIds: ['key_2'], personIds: [] }))[0]?.digest, 'd2');
    assert.deepEqual(await there.keys.readCredentials({ keyIds: [], personIds: [] }), []);

    await here.people.update(ada.id, { state: 'disabled' });
    assert.deepEqual(await look(), { keyIds: [], personIds: [ada.id] });
    assert.deepEqual(await there.keys.readCredentials(), []);

    await here.people.remove(ada.id);
    const removed = await look();
    assert.deepEqual(removed.keyIds.toSorted(), ['key_1', 'key_2']);
    assert.deepEqual(removed.personIds, [ada.id]);
    await Promise.all([here.close(), there.close()]);
  });

  test(`${name}: a reader behind the pruned log is told to read everything`, async () => {
    const house = await build();
    const storage = await house.open();
    await storage.people.insert(ada);
    await storage.keys.insert(keyOf('key_1', 'd1'));
    const { revision } = await storage.keys.readAccessChanges(0);
    await house.execute(`
      WITH RECURSIVE many (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM many WHERE number < 10250)
      INSERT INTO access_changes (subject, subject_id) SELECT 'key', 'key_1' FROM many`);
    const changes = await storage.keys.readAccessChanges(revision);
    assert.equal(changes.isComplete, false);
    assert.equal((await storage.keys.readAccessChanges(changes.revision)).isComplete, true);
    await storage.close();
  });

  test(`${name}: a key can be replaced once, and nobody makes more keys than allowed by making them at once`, async () => {
    const house = await build();
    const [storage, other] = [await house.open(), await house.open()];
    await storage.people.insert(ada);
    await storage.keys.insert(keyOf('key_1', 'd1'));
    assert.equal(await storage.keys.replace('key_1', 50_000, keyOf('key_2', 'd2')), true);
    assert.equal(await storage.keys.replace('key_1', 60_000, keyOf('key_3', 'd3')), false);
    const old = await storage.keys.find('key_1');
    assert.equal(old?.successorId, 'key_2');
    assert.equal(old?.expiresAt, 50_000);
    assert.equal(await storage.keys.find('key_3'), undefined);
    assert.equal(await storage.keys.countUsable(ada.id, 40_000), 2);
    assert.equal(await storage.keys.countUsable(ada.id, 50_000), 1);
    const wishes = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? storage : other).keys.insert(keyOf(`more_${index}`, `more ${index}`), 5),
    );
    assert.equal((await Promise.all(wishes)).filter(Boolean).length, 3);
    await Promise.all([storage.close(), other.close()]);
  });

  test(`${name}: everybody's keys are found by words, project and state, a page at a time and newest first`, async () => {
    const storage = await (await build()).open();
    const { people, keys } = storage;
    await people.insert(ada);
    await people.insert({ ...bob, name: 'Émile' });
    const make = (id: string, more: object) => keys.insert({ ...keyOf(id, `digest ${id}`), ...more });
    await make('key_1', { createdAt: 1, expiresAt: 50 * dayMs });
    await make('key_2', { createdAt: 2, name: 'Server', projectId: 'lab' });
    await make('key_3', { createdAt: 3, personId: bob.id });
    await make('key_4', { createdAt: 100 * dayMs });
    await keys.revoke('key_4', 5);
    await keys.noteUses([{ keyId: 'key_2', usedAt: 100 * dayMs, address: '::1' }]);
    const search = async (wanted: object) => {
      const found = await keys.search({ now: 101 * dayMs, skip: 0, limit: 10, ...wanted });
      return [found.total, ...found.keys.map(({ id }) => id)];
    };
    assert.deepEqual(await search({}), [4, 'key_4', 'key_3', 'key_2', 'key_1']);
    assert.deepEqual(await search({ skip: 1, limit: 2 }), [4, 'key_3', 'key_2']);
    assert.deepEqual(await search({ search: ' éMILE ' }), [1, 'key_3']);
    assert.deepEqual(await search({ search: 'ADA@', skip: 2, limit: 1 }), [3, 'key_1']);
    assert.deepEqual(await search({ search: 'gh_KEY_2', projectId: 'lab' }), [1, 'key_2']);
    assert.deepEqual(await search({ projectId: 'nowhere' }), [0]);
    assert.deepEqual(await search({ state: 'revoked' }), [1, 'key_4']);
    assert.deepEqual(await search({ state: 'expired' }), [1, 'key_1']);
    assert.deepEqual(await search({ state: 'active' }), [2, 'key_3', 'key_2']);
    assert.deepEqual(await search({ state: 'unused' }), [1, 'key_3']);
    assert.deepEqual(
      (await keys.search({ now: 0, skip: 0, limit: 1, search: 'mile' })).keys.map(({ owner }) => owner.name),
      ['Émile'],
    );
    const holdings = await people.readHoldings([ada.id, bob.id, 'nobody'], 101 * dayMs);
    const nothingElse = { usableKeys: 1, storedBytes: 0 };
    assert.deepEqual(
      holdings,
      new Map([
        [ada.id, nothingElse],
        [bob.id, nothingElse],
      ]),
    );
    await storage.close();
  });

  test(`${name}: entries of the audit trail that are written at once follow each other without a gap`, async () => {
    const house = await build();
    const writers = [await house.open(), await house.open(), await house.open()];
    const entryAfter = (last: AuditEntry | undefined): AuditEntry => ({
      position: (last?.position ?? 0) + 1,
      at: 5,
      kind: 'sign-in',
      actorKind: 'service',
      actorId: undefined,
      personId: undefined,
      address: undefined,
      userAgent: undefined,
      detail: { name: 'ü' },
      isNotice: false,
      previousHash: last?.hash ?? '',
      hash: `hash ${(last?.position ?? 0) + 1}`,
    });
    const rounds = Array.from({ length: 10 }, () => writers.map(({ audit }) => audit.append(entryAfter)));
    await Promise.all(rounds.flat());
    const entries = (await writers[0]?.audit.read(0, 100)) ?? [];
    assert.deepEqual(
      entries.map(({ position }) => position),
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    assert.equal(entries[29]?.previousHash, 'hash 29');
    await assert.rejects(house.execute('DELETE FROM audit_entries'), /append-only/);
    await Promise.all(writers.map((writer) => writer.close()));
  });

  test(`${name}: chats are listed, weighed, deleted, restored and purged`, async () => {
    const storage = await (await build()).open();
    const { conversations } = storage;
    await storage.people.insert(ada);
    await storage.people.insert(bob);
    await conversations.insertChat(chatOf('chat_1', 'Grüße'), [messageOf('m1', 'with a \u0000 in it 🏛')]);
    await conversations.insertChat({ ...chatOf('chat_2', 'Two'), updatedAt: 2_000 }, []);
    await conversations.insertChat(chatOf('chat_3', 'Three', bob.id), []);
    const page = { limit: 10, after: undefined, pinned: undefined };
    const listed = async (more: object = {}) =>
      (await conversations.listChats(ada.id, { ...page, ...more })).map(({ id }) => id);
    assert.deepEqual(await listed(), ['chat_2', 'chat_1']);
    assert.deepEqual(await listed({ after: { updatedAt: 2_000, chatId: 'chat_2' } }), ['chat_1']);
    assert.equal(await conversations.countChats(ada.id), 2);
    const bytes = await conversations.countStoredBytes(ada.id);
    assert.ok(bytes > 1_500 && bytes < 1_600, String(bytes));
    assert.equal(await conversations.appendMessages('chat_2', [messageOf('m2', 'hello')], 3_000), true);
    assert.equal((await conversations.readOutline('chat_2'))[0]?.bytes, 7);
    assert.match((await conversations.findMessage('chat_1', 'm1'))?.content ?? '', /^with a . in it 🏛$/);
    assert.equal(await conversations.changeChat(bob.id, 'chat_1', { title: 'Mine' }), undefined);
    assert.equal(await conversations.deleteChat(ada.id, 'chat_2', 9_000), true);
    assert.deepEqual(await listed(), ['chat_1']);
    assert.equal((await conversations.restoreChat(ada.id, 'chat_2', 8_000))?.id, 'chat_2');
    await conversations.deleteAllChats(ada.id, 9_000);
    while ((await conversations.purge(10_000)) > 0);
    assert.equal(await conversations.countStoredBytes(ada.id), 0);
    assert.equal(await conversations.countChats(bob.id), 1);
    await storage.close();
  });

  test(`${name}: a chat is in the list, in a folder or put away, and a folder leaves its chats behind`, async () => {
    const storage = await (await build()).open();
    const { conversations, folders } = storage;
    await storage.people.insert(ada);
    await storage.people.insert(bob);
    for (const id of ['chat_1', 'chat_2', 'chat_3']) await conversations.insertChat(chatOf(id, id), []);
    await folders.insert(ada.id, { id: 'folder_b', name: 'B', createdAt: 1 }, 2);
    // Of many that come at once, as many are kept as there is room for.
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, count) => {
        const id = `folder_a${count}`;
        return folders.insert(ada.id, { id, name: 'A', createdAt: 2 }, 2);
      }),
    );
    assert.equal(made.filter(Boolean).length, 1);
    const second = `folder_a${made.indexOf(true)}`;
    await folders.insert(bob.id, { id: 'folder_bob', name: 'His', createdAt: 3 }, 2);
    assert.deepEqual(
      (await folders.list(ada.id)).map(({ id }) => id),
      [second, 'folder_b'],
    );
    const listed = async (more: object = {}) =>
      (
        await conversations.listChats(ada.id, { limit: 10, after: undefined, pinned: undefined, ...more })
      ).map(({ id }) => id);
    await conversations.changeChat(ada.id, 'chat_1', { folderId: second });
    await conversations.changeChat(ada.id, 'chat_2', { archivedAt: 5_000 });
    const stray = await conversations.changeChat(ada.id, 'chat_3', { folderId: 'folder_bob' });
    assert.equal(stray?.folderId, null, 'a folder of somebody else is none');
    assert.deepEqual(await listed(), ['chat_3', 'chat_1']);
    assert.deepEqual(await listed({ folderId: null }), ['chat_3']);
    assert.deepEqual(await listed({ folderId: second }), ['chat_1']);
    assert.deepEqual(await listed({ archived: 'only' }), ['chat_2']);
    assert.deepEqual(await listed({ archived: 'with' }), ['chat_3', 'chat_2', 'chat_1']);
    await conversations.appendMessages('chat_2', [messageOf('m1', 'hello')], 6_000);
    assert.equal((await conversations.findChat(ada.id, 'chat_2'))?.archivedAt, null);
    await conversations.insertChats(
      ['gone', second].map((folderId, count) => ({
        chat: { ...chatOf(`whole_${count}`, 'Whole', ada.id), folderId, updatedAt: 3 },
        messages: Array.from({ length: 60 }, (_, place) => messageOf(`w${count}_${place}`, 'said')),
      })),
    );
    assert.equal((await conversations.findChat(ada.id, 'whole_0'))?.folderId, null, 'a folder that is gone');
    assert.equal((await conversations.findChat(ada.id, 'whole_1'))?.folderId, second);
    assert.equal((await conversations.readOutline('whole_1')).length, 60);

    assert.equal(await folders.rename(bob.id, second, 'Mine'), false);
    assert.equal(await folders.remove(bob.id, second), false);
    assert.equal(await folders.remove(ada.id, second), true);
    assert.equal((await conversations.findChat(ada.id, 'chat_1'))?.folderId, null);
    while ((await conversations.eraseSome(ada.id)) > 0);
    assert.deepEqual(await folders.list(ada.id), []);
    await storage.close();
  });

  test(`${name}: a preset has one owner, and its name is theirs once, whatever the letter case`, async () => {
    const storage = await (await build()).open();
    await storage.people.insert(ada);
    const { presets } = storage;
    const owner = { scope: 'person', personId: ada.id } as const;
    const service = { scope: 'service' } as const;
    const preset = {
      id: 'preset_1',
      name: 'Translate',
      description: 'into another language',
      model: 'alpha-R1',
      effort: 'low',
      systemPrompt: 'Be exact.',
      parameters: { temperature: 0.5, stop: ['END'] },
      prompt: 'Translate {text}.',
      updatedAt: 5,
    } as const;
    const admitAll = () => {};
    const own = { ...preset, scope: 'person', projectId: null } as const;
    await presets.put(owner, own, admitAll);
    const offered = { ...own, id: 'preset_2', scope: 'service', model: null, parameters: null } as const;
    await presets.put(service, offered, admitAll);
    const taken = (refusal: unknown) => refusal instanceof Refusal && refusal.code === 'conflict';
    await assert.rejects(presets.put(owner, { ...own, id: 'preset_3', name: 'translate' }, admitAll), taken);
    await presets.put(owner, { ...own, prompt: 'Other words.' }, admitAll);
    assert.deepEqual(await presets.list(owner), [{ ...own, prompt: 'Other words.' }]);
    const crowd = { scope: 'project', projectId: 'crowd' } as const;
    for (const each of [owner, crowd, service]) {
      const most = (await presets.list(each)).length + 3;
      const admit = (known: readonly unknown[]) => {
        if (known.length >= most) throw new Refusal('invalid_request', 'no room');
      };
      const projectId = each.scope === 'project' ? each.projectId : null;
      const ids = Array.from({ length: 20 }, (_, count) => `${each.scope}_${count}`);
      const made = await Promise.allSettled(
        ids.map((id) => presets.put(each, { ...own, id, name: id, scope: each.scope, projectId }, admit)),
      );
      assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 3, each.scope);
      const kept = await presets.list(each);
      assert.equal(kept.length, most);
      assert.equal(kept[0]?.projectId, projectId);
      for (const id of ids) await presets.remove(each, id);
    }
    await presets.remove(owner, 'preset_2');
    assert.equal((await presets.list(service))[0]?.parameters, null);
    while ((await storage.conversations.eraseSome(ada.id)) > 0);
    assert.deepEqual(await presets.list(owner), []);
    assert.equal((await presets.list(service)).length, 1);
    await storage.close();
  });

  test(`${name}: what is said of a message stays with it: feedback, a summary, and that it is written on`, async () => {
    const storage = await (await build()).open();
    const { conversations } = storage;
    await storage.people.insert(ada);
    const cut = messageOf('m2', 'Half an answ', {
      parentId: 'm1',
      role: 'assistant',
      model: 'alpha-R1',
      state: 'stopped',
    });
    await conversations.insertChat(chatOf('chat_1', 'One'), [messageOf('m1', 'Why?'), cut]);

    const good = { verdict: 'good', word: null } as const;
    const bad = { verdict: 'bad', word: 'wrong' } as const;
    assert.equal(await conversations.saveFeedback('chat_1', 'm1', good), false, 'a question is no answer');
    assert.equal(await conversations.saveFeedback('chat_2', 'm2', good), false);
    assert.equal(await conversations.saveFeedback('chat_1', 'm2', good), true);
    assert.equal(await conversations.saveFeedback('chat_1', 'm2', bad), true);
    assert.deepEqual((await conversations.findMessage('chat_1', 'm2'))?.feedback, bad);
    assert.deepEqual(await conversations.countFeedback(), [{ model: 'alpha-R1', ...bad, count: 1 }]);
    assert.equal(await conversations.saveFeedback('chat_1', 'm2', null), true);
    assert.deepEqual(await conversations.countFeedback(), []);

    const opened = {
      ...cut,
      content: 'Half an answer',
      state: 'running',
      generationId: 'g2',
      requestIds: ['r1', 'r2'],
    } as const;
    assert.equal(await conversations.reopenMessage('chat_2', opened), false);
    assert.equal(await conversations.reopenMessage('chat_1', opened), true);
    assert.deepEqual(await conversations.findMessage('chat_1', 'm2'), opened);
    assert.equal(await conversations.reopenMessage('chat_1', opened), false, 'it is being written');
    const found = async (term: string) => {
      const search = { terms: [term], isLastUnfinished: false };
      return (await conversations.searchChats(ada.id, search, { skip: 0, limit: 10 })).length;
    };
    assert.deepEqual(
      [await found('answ'), await found('answer')],
      [0, 0],
      'it is not what it was, nor what it will be',
    );
    await conversations.saveProgress('chat_1', 'm2', { ...opened, state: 'complete', generationId: null });
    assert.deepEqual([await found('answ'), await found('answer')], [0, 1]);
    await conversations.appendMessages('chat_1', [messageOf('m3', 'And then?', { parentId: 'm2' })], 3_000);
    assert.equal(await conversations.reopenMessage('chat_1', opened), false, 'something follows it');
    await conversations.deleteMessages('chat_1', ['m3'], 4_000);
    assert.equal(await conversations.reopenMessage('chat_1', opened), true);

    const before = await conversations.countStoredBytes(ada.id);
    const summary = {
      text: 'They spoke. 🏛',
      model: 'alpha-R1',
      isEdited: false,
      requestIds: ['r3'],
      createdAt: 5_000,
    };
    assert.equal(await conversations.saveSummary('chat_2', 'm1', summary), false);
    assert.equal(await conversations.saveSummary('chat_1', 'm1', summary), true);
    assert.deepEqual((await conversations.findMessage('chat_1', 'm1'))?.summary, summary);
    assert.equal(
      await conversations.countStoredBytes(ada.id),
      before + Buffer.byteLength(JSON.stringify(summary)),
    );
    assert.equal(await conversations.saveSummary('chat_1', 'm1', null), true);
    assert.equal(await conversations.countStoredBytes(ada.id), before);
    await conversations.addMessages('chat_1', [
      messageOf('m4', 'Brought along', { parentId: 'm1', summary }),
    ]);
    await conversations.deleteAllChats(ada.id, 9_000);
    while ((await conversations.purge(10_000)) > 0);
    assert.equal(await conversations.countStoredBytes(ada.id), 0);
    await storage.close();
  });

  test(`${name}: a permission to call a tool holds for its person, chat and definition, until it is withdrawn`, async () => {
    const storage = await (await build()).open();
    const { conversations, toolConsents } = storage;
    await storage.people.insert(ada);
    await storage.people.insert(bob);
    await conversations.insertChat(chatOf('chat_1', 'One'), []);
    await conversations.insertChat(chatOf('chat_2', 'Two'), []);
    const consent = {
      personId: ada.id,
      chatId: 'chat_1',
      serverName: 'files',
      toolName: 'read',
      digest: 'd1',
      givenAt: 1_000,
    };
    await toolConsents.put(consent);
    assert.deepEqual(await toolConsents.find(ada.id, 'chat_1', 'd1'), consent);
    assert.equal(await toolConsents.find(ada.id, 'chat_2', 'd1'), undefined, 'another chat');
    assert.equal(await toolConsents.find(ada.id, 'chat_1', 'd2'), undefined, 'the tool has changed');
    assert.equal(await toolConsents.find(bob.id, 'chat_1', 'd1'), undefined, 'somebody else');
    const always = { ...consent, chatId: undefined, digest: 'd3' };
    await toolConsents.put(always);
    await toolConsents.put({ ...always, toolName: 'write', digest: 'd4', givenAt: 2_000 });
    assert.deepEqual(await toolConsents.find(ada.id, 'chat_2', 'd3'), always);
    assert.deepEqual(
      (await toolConsents.listForAll(ada.id)).map(({ toolName }) => toolName),
      ['write', 'read'],
    );
    await toolConsents.withdraw(ada.id, 'files', 'read');
    assert.equal(await toolConsents.find(ada.id, 'chat_1', 'd1'), undefined);
    assert.equal(await toolConsents.find(ada.id, 'chat_2', 'd3'), undefined);
    assert.equal((await toolConsents.listForAll(ada.id)).length, 1);
    await toolConsents.put(consent);
    await conversations.deleteChat(ada.id, 'chat_1', 9_000);
    while ((await conversations.purge(10_000)) > 0);
    assert.equal(await toolConsents.find(ada.id, 'chat_1', 'd1'), undefined, 'it went with its chat');
    await storage.close();
  });

  test(`${name}: a search finds words, beginnings and phrases, without regard to case and accents`, async () => {
    const storage = await (await build()).open();
    const { conversations } = storage;
    await storage.people.insert(ada);
    await storage.people.insert(bob);
    const texts = [
      'The CRÈME of the crop',
      'user@example.org wrote',
      'red house, blue door',
      'a b'.repeat(90_000),
    ];
    for (const [index, text] of texts.entries())
      await conversations.insertChat(chatOf(`chat_${index}`, `Straße ${index}`), [
        messageOf(`m${index}`, text),
      ]);
    await conversations.insertChat(chatOf('foreign', 'creme', bob.id), []);
    const find = async (term: string, isLastUnfinished = false) => {
      const search = { terms: [term], isLastUnfinished };
      const found = await conversations.searchChats(ada.id, search, { skip: 0, limit: 10 });
      return found.map(({ chat }) => chat.id);
    };
    assert.deepEqual(await find('creme'), ['chat_0']);
    assert.deepEqual(await find('CRÈ'), []);
    assert.deepEqual(await find('CRÈ', true), ['chat_0']);
    assert.deepEqual(await find('example.org'), ['chat_1']);
    assert.deepEqual(await find('house blue'), ['chat_2']);
    assert.deepEqual(await find('red blue'), []);
    assert.deepEqual(await find('house bl', true), ['chat_2']);
    assert.deepEqual(await find('STRASSE'), []);
    assert.deepEqual(await find('straße'), ['chat_3', 'chat_2', 'chat_1', 'chat_0']);
    assert.deepEqual(await find("'); DROP TABLE chats; --"), []);
    const [hit] = await conversations.searchChats(
      ada.id,
      { terms: ['creme'], isLastUnfinished: false },
      { skip: 0, limit: 10 },
    );
    assert.deepEqual(
      hit?.snippet.filter(({ isMatch }) => isMatch).map(({ text }) => text),
      ['CRÈME'],
    );
    await conversations.changeChat(ada.id, 'chat_0', { title: 'Renamed' });
    assert.deepEqual(await find('renamed'), ['chat_0']);
    await storage.close();
  });

  test(`${name}: a search finds words in the middle of a text without blanks, and those that were there before`, async () => {
    const source = await build();
    const storage = await source.open();
    const { conversations } = storage;
    await storage.people.insert(ada);
    await storage.people.insert(bob);
    const texts = {
      chinese: '昨天我们使用Python编写了机器学习模型。',
      japanese: '深層学習のモデルをデータで訓練します',
      thai: 'การเรียนรู้ของเครื่องจักรในประเทศไทย',
      korean: '대규모언어모델을 학습시켰습니다',
      apart: '机器很贵，人要学习',
      far: `${'一'.repeat(30_000)}顕微鏡${'二'.repeat(300)}`,
    };
    for (const [id, text] of Object.entries(texts))
      await conversations.insertChat(chatOf(id, 'Notes'), [messageOf(`m-${id}`, text)]);
    await conversations.insertChat(chatOf('title', '実験計画について'), []);
    await conversations.insertChat(chatOf('foreign', '機器学習', bob.id), [
      messageOf('m-foreign', '机器学习'),
    ]);
    const search = (term: string, isLastUnfinished = false) =>
      conversations.searchChats(ada.id, { terms: [term], isLastUnfinished }, { skip: 0, limit: 10 });
    const find = async (term: string, isLastUnfinished = false) =>
      (await search(term, isLastUnfinished)).map(({ chat }) => chat.id);

    async function lookAround(): Promise<void> {
      assert.deepEqual(await find('机器学习'), ['chinese'], 'the letters stand beside each other');
      assert.deepEqual(await find('学习'), ['apart', 'chinese']);
      assert.deepEqual(await find('贵'), ['apart']);
      assert.deepEqual(await find('型', true), ['chinese']);
      assert.deepEqual(await find('python'), ['chinese']);
      assert.deepEqual(await find('pyth', true), ['chinese']);
      assert.deepEqual(await find('Python编写'), ['chinese']);
      assert.deepEqual(await find('データ'), ['japanese']);
      assert.deepEqual(await find('タデー'), []);
      assert.deepEqual(await find('เครื่องจักร'), ['thai']);
      assert.deepEqual(await find('เครืองจักร'), [], 'a tone is a difference');
      assert.deepEqual(await find('언어'), ['korean']);
      assert.deepEqual(await find('計画'), ['title']);
    }
    await lookAround();
    const marked = async (term: string) => (await search(term))[0]?.snippet ?? [];
    assert.deepEqual(await marked('学習の'), [
      { text: '深層', isMatch: false },
      { text: '学習の', isMatch: true },
      { text: 'モデルをデータで訓練します', isMatch: false },
    ]);
    const far = await marked('顕微鏡');
    const at = far.findIndex(({ isMatch }) => isMatch);
    assert.deepEqual([far[0]?.text, far[at]?.text, far.at(-1)?.text], ['…', '顕微鏡', '…']);
    assert.ok(
      far
        .slice(0, at)
        .map(({ text }) => text)
        .join('').length < 20,
      'the hit is seen in two short lines',
    );

    await conversations.changeChat(ada.id, 'title', { title: 'Renamed' });
    assert.deepEqual(await find('計画'), []);
    await conversations.changeChat(ada.id, 'title', { title: '実験計画' });
    await source.execute(`
      DELETE FROM title_piece_search WHERE rowid > 0;
      DELETE FROM message_piece_search WHERE rowid > 0;`);
    assert.deepEqual(await find('学习'), []);
    while (await conversations.catchUpSearch());
    await lookAround();
    assert.equal(await conversations.catchUpSearch(), false);
    await storage.close();
  });

  test(`${name}: projects, limits, sessions, invitations, links and preferences come back as they were put`, async () => {
    const storage = await (await build()).open();
    await storage.people.insert(ada);
    const project = {
      id: 'lab',
      name: 'Lab',
      description: '',
      weight: 1.5,
      models: ['a'],
      endsAt: undefined,
      groups: ['staff'],
      sharesPrompts: true,
      isConfigured: false,
    };
    const before = await storage.projects.readRevision();
    await storage.projects.insert(project);
    await assert.rejects(storage.projects.insert(project), Refusal);
    await storage.projects.putMember({ projectId: 'lab', personId: ada.id, role: 'member', source: 'added' });
    await storage.projects.putMember({ projectId: 'lab', personId: ada.id, role: 'lead', source: 'added' });
    await storage.projects.setGroupMemberships(ada.id, ['lab', 'other']);
    await storage.projects.setGroupMemberships(ada.id, ['lab']);
    for (const requestsPerMinute of [5, 7])
      await storage.projects.putLimits({
        scope: 'person',
        subjectId: ada.id,
        modelId: undefined,
        limits: { requestsPerMinute },
      });
    assert.ok((await storage.projects.readRevision()) > before);
    const all = await storage.projects.readAll();
    assert.deepEqual(all.projects, [project]);
    assert.deepEqual(all.memberships.map(({ role, source }) => `${role} ${source}`).toSorted(), [
      'lead added',
      'member group',
    ]);
    assert.deepEqual(all.limits[0]?.limits, { requestsPerMinute: 7 });

    const session = {
      id: 's1',
      personId: ada.id,
      tokenDigest: 'token',
      createdAt: 1,
      lastSeenAt: 2,
      endsAt: 1_731_000_000_000,
      userAgent: 'browser',
      address: '::1',
      method: 'password',
      providerId: undefined,
      idToken: undefined,
      checkedAt: undefined,
    };
    await storage.sessions.insert(session);
    assert.deepEqual(await storage.sessions.findByTokenDigest('token'), session);
    assert.deepEqual(await storage.sessions.removeAllOf(ada.id), ['s1']);
    const link = { personId: ada.id, createdAt: 1, expiresAt: 10, madeBy: 'root' };
    await storage.signInLinks.insert({ ...link, tokenDigest: 'first' });
    await storage.signInLinks.insert({ ...link, tokenDigest: 'second' });
    assert.equal(await storage.signInLinks.take('first', 5), undefined);
    assert.deepEqual(await storage.signInLinks.take('second', 5), { personId: ada.id, madeBy: 'root' });
    await storage.preferences.write(ada.id, { theme: 'dark' });
    await storage.preferences.write(ada.id, { theme: 'light' });
    assert.deepEqual(await storage.preferences.read(ada.id), { theme: 'light' });
    await storage.close();
  });

  test(`${name}: passages have vectors of one model at a time, which count for their document and go with it`, async () => {
    const storage = await (await build()).open();
    await storage.people.insert(ada);
    const { documents, vectors } = storage;
    const bring = async (id: string, createdAt: number, texts: readonly string[]) => {
      await documents.insert({
        id,
        personId: ada.id,
        name: `${id}.txt`,
        kind: 'text',
        mediaType: 'text/plain',
        bytes: 0,
        pageCount: 1,
        characters: 0,
        digest: null,
        textDigest: null,
        state: 'arriving',
        createdAt,
      });
      await documents.addPassages(
        id,
        texts.map((text, index) => ({ page: 1, start: index * 10, text })),
      );
      const characters = texts.join('').length;
      await documents.complete(id, { pageCount: 1, digest: 'd', textDigest: 't', characters });
    };
    await bring('document_old', 1, ['one', 'two', 'three']);
    await bring('document_new', 2, ['four']);
    await bring('document_long', 3, ['so long that nobody compares it']);
    await bring('document_empty', 4, []);
    const next = async (model: string, except: readonly string[] = []) =>
      (await vectors.findUnembedded(model, 20, except))?.id;
    assert.equal(await next('m2'), 'document_new', 'the newest that has text, and not too much');
    assert.equal(await next('m2', ['document_new']), 'document_old');

    const weight = await documents.countStoredBytes(ada.id);
    const [first, ...others] = await vectors.readUnembedded('document_old', 10);
    assert.ok(first !== undefined);
    assert.deepEqual([first.text, ...others.map(({ text }) => text)], ['one', 'two', 'three']);
    const vector = Int8Array.from([127, -128, 0, -1]);
    await vectors.addVectors('document_old', 'm1', [
      { position: first.position, vector },
      { position: 999_999, vector },
    ]);
    assert.equal((await vectors.readUnembedded('document_old', 10)).length, 2, 'where it left off');
    await vectors.addVectors(
      'document_old',
      'm1',
      others.map(({ position }) => ({ position, vector: new Int8Array() })),
    );
    await vectors.markEmbedded('document_old', 'm1');
    assert.equal((await documents.find(ada.id, 'document_old'))?.embeddedBy, 'm1');
    assert.equal(await next('m1', ['document_new']), undefined);
    assert.equal(await next('m0', ['document_new']), 'document_old', 'another model begins anew');
    assert.equal(await next('m2', ['document_new']), 'document_old');
    const read = (await Array.fromAsync(vectors.readVectors('document_old', 'm1'))).flat();
    assert.deepEqual(
      read.map(({ vector: numbers }) => [...numbers]),
      [[...vector], [], []],
    );
    assert.deepEqual(await Array.fromAsync(vectors.readVectors('document_old', 'm2')), []);
    const [found] = await vectors.readPassagesAt([first.position]);
    assert.deepEqual({ ...found }, { ...first, documentId: 'document_old', page: 1, start: 0 });
    assert.ok((await documents.countStoredBytes(ada.id)) > weight);

    assert.equal(await vectors.dropVectors('document_old', 'm1'), 0);
    assert.equal(await vectors.findEmbedded(), 'document_old');
    assert.equal(await vectors.dropVectors('document_old', 'm2'), 3);
    assert.equal((await documents.find(ada.id, 'document_old'))?.embeddedBy, undefined);
    assert.equal(await documents.countStoredBytes(ada.id), weight, 'what they took is free again');
    const again = { position: first.position, vector };
    await vectors.addVectors('document_old', 'm2', [again]);
    await documents.remove(ada.id, 'document_old');
    assert.equal(await next('m2', ['document_new']), undefined, 'what is removed gets none');
    while ((await documents.purge(0)) > 0);
    assert.equal(await vectors.findEmbedded(), undefined, 'they go with their passages');
    await vectors.addVectors('document_old', 'm2', [again]);
    assert.equal(await vectors.findEmbedded(), undefined, 'nobody gives any to what is gone');
    await storage.close();
  });

  test(`${name}: documents come back byte by byte, and their passages are found by rare words first`, async () => {
    const storage = await (await build()).open();
    await storage.people.insert(ada);
    const document = {
      id: 'document_1',
      personId: ada.id,
      name: 'notes.txt',
      kind: 'text',
      mediaType: 'text/plain',
      bytes: 4,
      pageCount: 1,
      characters: 0,
      digest: null,
      textDigest: null,
      state: 'arriving',
      createdAt: 1,
    } as const;
    await storage.documents.insert(document);
    assert.deepEqual(await storage.documents.find(ada.id, 'document_1'), document);
    const content = new Uint8Array([0, 255, 10, 128]);
    assert.equal(await storage.documents.addPart('document_1', 0, content), true);
    assert.equal(await storage.documents.addPart('document_1', 0, content), false);
    const parts = await Array.fromAsync(storage.documents.readParts('document_1'));
    assert.deepEqual(
      parts.map((part) => [...part]),
      [[...content]],
    );
    const texts = ['the cat and the dog', 'the dog and the bird', 'a Zebra and the dog'];
    const passages = texts.map((text, index) => ({ page: 1, start: index * 100, text }));
    await storage.documents.addPassages('document_1', passages);
    const read = (await Array.fromAsync(storage.documents.readPassages('document_1', 1))).flat();
    assert.deepEqual(
      read.map((passage) => ({ ...passage })),
      passages,
    );
    const found = await storage.documents.search(['document_1'], ['dog', 'zebra'], 2);
    assert.equal(found.length, 2);
    assert.equal(found[0]?.text, texts[2]);
    assert.deepEqual(await storage.documents.search(['document_2'], ['dog'], 2), []);
    const pieces = await storage.documents.searchPieces(['document_1'], ['ebr', 'dog', 'fish'], 2);
    assert.deepEqual(
      pieces.map(({ text }) => text),
      [texts[2], texts[0]],
    );
    assert.deepEqual(await storage.documents.searchPieces(['document_2'], ['dog'], 2), []);
    assert.ok((await storage.documents.countStoredBytes(ada.id)) > 600);
    await storage.documents.remove(ada.id, 'document_1');
    while ((await storage.documents.purge(0)) > 0);
    assert.equal(await storage.documents.countStoredBytes(ada.id), 0);

    const stretch = {
      length: 'hour',
      model: 'm',
      startsAt: 0,
      requests: 1,
      failures: 0,
      inputTokens: 1,
      cachedTokens: 0,
      outputTokens: 2,
      secondsSeen: 0.5,
      secondsUp: 0.5,
      waitingSeconds: 0,
      runningSeconds: 0.25,
      firstTokens: [1, 0, 0, 0, 0, 0, 0, 0, 0],
    } as const;
    await storage.serviceHistory.add([stretch]);
    await storage.serviceHistory.add([stretch]);
    const [added] = await storage.serviceHistory.read('hour', 0);
    assert.deepEqual([added?.requests, added?.secondsUp, added?.firstTokens[0]], [2, 1, 2]);
    await storage.close();
  });

  test(`${name}: a kept response is its owner's alone, and the oldest make room`, async () => {
    const house = await build();
    const storage = await house.open();
    await storage.people.insert(ada);
    const { responses } = storage;
    const owner = { id: `person ${ada.id}`, personId: ada.id };
    const keptOf = (id: string, createdAt: number): KeptResponse => ({
      id,
      owner,
      createdAt,
      expiresAt: 9_000,
      aliveUntil: 5_000,
      previousId: undefined,
      response: '{}',
      input: '"ü"',
      events: undefined,
    });
    for (const [id, createdAt] of [
      ['resp_1', 1_000],
      ['resp_2', 2_000],
      ['resp_3', 3_000],
    ] as const)
      await responses.keep(keptOf(id, createdAt));
    assert.deepEqual(await responses.find(owner.id, 'resp_1', 8_999), keptOf('resp_1', 1_000));
    assert.equal(await responses.find('person other', 'resp_1', 0), undefined);
    assert.equal(await responses.find(owner.id, 'resp_1', 9_000), undefined);
    assert.equal(await responses.remove('person other', 'resp_1'), false);
    assert.equal(await responses.totalBytes(), 18);

    const finished = { ...keptOf('resp_3', 3_000), aliveUntil: undefined, events: 'event: x\n\n' };
    await responses.keep(finished);
    await responses.stayAlive(['resp_2', 'resp_3'], 7_000);
    assert.deepEqual(await responses.find(owner.id, 'resp_3', 0), finished);
    assert.equal((await responses.find(owner.id, 'resp_2', 0))?.aliveUntil, 7_000);

    const { writerId } = responses;
    assert.deepEqual(await responses.findAbandoned(), [], 'this process lives');
    assert.equal(await responses.takeOver('resp_2', 'somebody-else'), 'written elsewhere');
    await responses.putDown('resp_2', Buffer.from([0, 255]));
    assert.deepEqual(await responses.findPutDown(), [], 'this process lives');
    assert.deepEqual(await responses.readPutDown('resp_2'), Buffer.from([0, 255]));
    const taken = await responses.takeOver('resp_2', writerId);
    assert.ok(typeof taken === 'object' && taken.id === 'resp_2');
    assert.equal(await responses.readPutDown('resp_2'), undefined, 'whoever has it now knows more');
    assert.equal(await responses.takeOver('resp_3', writerId), undefined, 'it is written');
    assert.equal(await responses.conclude({ id: 'resp_2', response: '{}' }, 'somebody-else'), false);
    assert.equal(await responses.conclude({ id: 'resp_2', response: '[]' }, writerId), true);
    assert.equal(await responses.takeOver('resp_2', writerId), undefined);
    assert.deepEqual(await responses.find(owner.id, 'resp_2', 0), {
      ...keptOf('resp_2', 2_000),
      aliveUntil: undefined,
      response: '[]',
    });

    await responses.trim(owner.id, 2, 1_000);
    assert.equal(await responses.find(owner.id, 'resp_1', 0), undefined);
    await responses.trim(owner.id, 2, 20);
    assert.equal(await responses.find(owner.id, 'resp_2', 0), undefined);
    assert.equal(await responses.forgetExpired(8_999), 0);
    assert.equal(await responses.forgetExpired(9_000), 1);
    await responses.keep(keptOf('resp_4', 4_000));
    // Whoever took it over died before anybody was told; where several share a database nobody is dead that soon.
    await house.execute("UPDATE responses SET written_by = 'nobody'");
    const left = await responses.takeOver('resp_4', writerId);
    assert.equal(typeof left, name === 'SQLite' ? 'object' : 'string');
    await storage.people.remove(ada.id);
    assert.equal(await responses.totalBytes(), 0);
    await storage.close();
  });

  test(`${name}: somebody is found by state, and removed with what belongs to them, but for the books`, async () => {
    const house = await build();
    const storage = await house.open();
    const { people, keys, projects, conversations, usage } = storage;
    await people.insert(ada);
    await people.insert({ ...bob, role: 'administrator', state: 'disabled' });
    const found = await people.list({ state: 'disabled', role: 'administrator', limit: 5 });
    assert.deepEqual(
      found.map(({ id }) => id),
      [bob.id],
    );
    await keys.insert(keyOf('key_ada', 'digest'));
    for (const [scope, subjectId] of [
      ['person', ada.id],
      ['key', 'key_ada'],
      ['person', bob.id],
    ] as const)
      await projects.putLimits({ scope, subjectId, modelId: undefined, limits: { costPerDay: 1 } });
    await conversations.insertChat(chatOf('chat_ada', 'hers'), [messageOf('m1', 'hello')]);
    await conversations.insertChat(chatOf('chat_bob', 'his', bob.id), [messageOf('m2', 'hello')]);
    const applier = await house.openApplier();
    await applier.apply([
      {
        requestId: 'r1',
        startedAt: 3 * dayMs + 5,
        door: 'chat',
        caller: { kind: 'person', personId: ada.id },
        address: '192.0.2.7',
        endpoint: 'chat/completions',
        model: 'alpha-R1',
        requestBytes: 10,
        project: 'everyone',
        engine: 'engine-a',
        ending: 'completed',
        status: 200,
        usage: { ...noUsage, inputTokens: 250, outputTokens: 20 },
        waitMs: 0,
        firstByteMs: 1,
        durationMs: 2,
        cost: 0,
      },
    ]);
    await applier.close();

    while ((await conversations.eraseSome(ada.id)) > 0);
    assert.equal(await people.remove(ada.id), true);
    assert.deepEqual(
      [await conversations.countChats(ada.id), await conversations.countChats(bob.id)],
      [0, 1],
    );
    assert.deepEqual(
      (await projects.readAll()).limits.map(({ subjectId }) => subjectId),
      [bob.id],
    );
    assert.deepEqual(await keys.list(undefined), []);
    const period = { since: 0, until: 4 * dayMs };
    assert.deepEqual(await usage.reportDays({ by: 'person', ...period }), [
      { day: '1970-01-04', group: ada.id, requests: 1, tokens: 270 },
    ]);
    assert.deepEqual(
      (await usage.reportDays({ by: 'day', project: 'everyone', ...period })).map(({ group }) => group),
      ['1970-01-04'],
    );
    assert.deepEqual(await usage.reportDays({ by: 'network', project: 'nowhere', ...period }), []);
    await storage.close();
  });

  test(`${name}: queries asked at the same time are answered each with its own`, async () => {
    const storage = await (await build()).open();
    const emails = Array.from({ length: 50 }, (_, index) => `p${index}@example.org`);
    await Promise.all(
      emails.map((email, index) => storage.people.insert({ ...ada, id: `person_${index}`, email })),
    );
    const found = await Promise.all(emails.map((email) => storage.people.findByEmail(email)));
    assert.deepEqual(
      found.map((person) => person?.email),
      emails,
    );
    assert.equal(await storage.people.count(), 50);
    await storage.close();
    await storage.close();
    await assert.rejects(storage.people.count());
  });
}
