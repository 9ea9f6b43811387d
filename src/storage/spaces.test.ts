import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases } from '#harness/databases';
import type { Chat } from '#vocabulary/conversation';
import type { StoredDocument } from '#vocabulary/documents';

const ada = {
  id: 'person_ada',
  email: 'ada@example.org',
  name: 'Ada',
  role: 'person',
  state: 'active',
  createdAt: 1_000,
  passwordHash: undefined,
} as const;
const bob = { ...ada, id: 'person_bob', email: 'bob@example.org', name: 'Bob' };
const root = { ...ada, id: 'person_root', email: 'root@example.org', role: 'administrator' } as const;

const chatOf = (id: string, personId: string, updatedAt: number): Chat => ({
  id,
  personId,
  title: `Chat ${id}`,
  titleSource: 'person',
  model: 'alpha-R1',
  effort: null,
  systemPrompt: '',
  parameters: {},
  isPinned: false,
  activeLeafId: null,
  share: null,
  createdAt: 1_000,
  updatedAt,
  archivedAt: null,
  folderId: null,
  deletedAt: null,
});

const documentOf = (id: string, projectId: string | undefined, createdAt = 1_000): StoredDocument => ({
  id,
  personId: ada.id,
  name: `${id}.txt`,
  kind: 'text',
  mediaType: 'text/plain',
  bytes: 3,
  pageCount: 1,
  characters: 3,
  digest: null,
  textDigest: null,
  state: 'ready',
  createdAt,
  projectId,
});

for (const { name, build } of databases) {
  test(`${name}: a space keeps its documents apart from its people's, and gives them up with its project`, async () => {
    const storage = await (await build()).open();
    const { spaces, documents } = storage;
    for (const person of [ada, bob, root]) await storage.people.insert(person);
    await documents.insert(documentOf('doc_own', undefined));
    await documents.insert(documentOf('doc_2', 'genomics', 2_000));
    await documents.insert(documentOf('doc_1', 'genomics'));
    await documents.insert({ ...documentOf('doc_late', 'genomics'), state: 'arriving' });
    await documents.insert(documentOf('doc_other', 'physics'));
    await documents.addPart('doc_1', 0, Buffer.from('abc'));

    const listed = await spaces.listDocuments('genomics');
    assert.deepEqual(
      listed.map(({ id, projectId }) => [id, projectId]),
      [
        ['doc_1', 'genomics'],
        ['doc_2', 'genomics'],
      ],
    );
    assert.equal(await documents.find(ada.id, 'doc_1'), undefined, 'it is not the person’s');
    assert.equal(await documents.remove(ada.id, 'doc_1'), false);
    assert.equal((await spaces.findDocument('doc_late'))?.state, 'arriving');
    assert.equal(await spaces.findDocument('doc_own'), undefined);
    const ofPerson = await documents.countStoredBytes(ada.id);
    assert.ok(ofPerson > 0 && (await spaces.countDocumentBytes('genomics')) > ofPerson);

    // What nobody has used for a day goes, but for what a space has.
    while ((await documents.purge(5_000)) > 0);
    assert.equal(await documents.find(ada.id, 'doc_own'), undefined);
    assert.equal(await spaces.findDocument('doc_late'), undefined);
    assert.equal((await spaces.listDocuments('genomics')).length, 2);

    assert.equal(await spaces.removeDocument('physics', 'doc_1'), false, 'only in its own space');
    assert.equal(await spaces.removeDocument('genomics', 'doc_2'), true);
    assert.equal(await spaces.removeDocument('genomics', 'doc_2'), false);

    // Somebody who is removed leaves what they brought to a lead, or to an administrator.
    await storage.projects.putMember({
      projectId: 'genomics',
      personId: bob.id,
      role: 'lead',
      source: 'added',
    });
    assert.equal(await storage.people.remove(ada.id), true);
    assert.equal((await spaces.findDocument('doc_1'))?.personId, bob.id);
    assert.equal((await spaces.findDocument('doc_other'))?.personId, root.id);

    await spaces.writeInstructions('genomics', 'Cite your sources.', 3_000);
    await spaces.writeInstructions('genomics', 'Cite all sources.', 4_000);
    assert.equal((await spaces.readInstructions('genomics')).text, 'Cite all sources.');
    assert.equal((await spaces.readInstructions('physics')).text, '');
    const project = { description: '', weight: 1, models: [], endsAt: undefined, groups: [] };
    await storage.projects.insert({
      ...project,
      id: 'genomics',
      name: 'Genomics',
      sharesPrompts: false,
      isConfigured: false,
    });
    assert.equal(await storage.projects.remove('genomics'), true);
    assert.equal((await spaces.readInstructions('genomics')).text, '');
    assert.deepEqual(await spaces.listDocuments('genomics'), []);
    while ((await documents.purge(5_000)) > 0);
    assert.equal(await spaces.countDocumentBytes('genomics'), 0);
    assert.equal((await spaces.listDocuments('physics')).length, 1);
    await storage.close();
  });

  test(`${name}: a chat has one place, is seen while it is shared, and its place goes with it`, async () => {
    const storage = await (await build()).open();
    const { spaces, conversations } = storage;
    for (const person of [ada, bob]) await storage.people.insert(person);
    await conversations.insertChat(chatOf('chat_1', ada.id, 10_000), []);
    await conversations.insertChat(chatOf('chat_2', bob.id, 20_000), []);
    await spaces.placeChat('chat_1', { projectId: 'physics', isInside: true, sharedAt: undefined });
    await spaces.placeChat('chat_1', { projectId: 'genomics', isInside: true, sharedAt: 5_000 });
    await spaces.placeChat('chat_2', { projectId: 'genomics', isInside: false, sharedAt: 6_000 });
    assert.deepEqual(await spaces.findPlace('chat_1'), {
      projectId: 'genomics',
      isInside: true,
      sharedAt: 5_000,
    });
    assert.deepEqual(await spaces.listShared('physics', 10), []);
    assert.deepEqual(
      (await spaces.listShared('genomics', 10)).map(({ chatId, ownerName, sharedAt }) => [
        chatId,
        ownerName,
        sharedAt,
      ]),
      [
        ['chat_2', 'Bob', 6_000],
        ['chat_1', 'Ada', 5_000],
      ],
    );
    assert.equal((await spaces.findShared('genomics', 'chat_1'))?.ownerName, 'Ada');
    assert.equal(await spaces.findShared('physics', 'chat_1'), undefined);
    await conversations.deleteChat(bob.id, 'chat_2', 30_000);
    assert.equal(await spaces.findShared('genomics', 'chat_2'), undefined);
    assert.equal((await spaces.listShared('genomics', 10)).length, 1, 'a deleted chat is not seen');
    while ((await conversations.purge(40_000)) > 0);
    assert.equal(await spaces.findPlace('chat_2'), undefined);
    await storage.people.update(ada.id, { state: 'disabled' });
    assert.deepEqual(await spaces.listShared('genomics', 10), []);
    await storage.people.update(ada.id, { state: 'active' });
    await spaces.placeChat('chat_1', { projectId: 'genomics', isInside: true, sharedAt: undefined });
    assert.deepEqual(await spaces.listShared('genomics', 10), []);
    await spaces.displaceChat('chat_1');
    assert.equal(await spaces.findPlace('chat_1'), undefined);
    await storage.close();
  });
}
