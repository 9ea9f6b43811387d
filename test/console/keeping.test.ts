import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ChatArchive } from '#contract/archive';
import { startStage } from './stage.ts';
import type { Visitor } from './visitor.ts';

const model = 'beta-4-scout';
const stage = await startStage();
after(() => stage[Symbol.asyncDispose]());

async function write(visitor: Visitor, title: string, content: string): Promise<string> {
  const { id: chatId } = await visitor.ok('POST /console/chats', { body: { title, model } });
  await say(visitor, chatId, content);
  return chatId;
}

async function say(visitor: Visitor, chatId: string, content: string): Promise<void> {
  const body = { parentId: null, role: 'user', content } as const;
  await visitor.ok('POST /console/chats/:chatId/messages', { chatId, body });
}

const titles = async (visitor: Visitor, query: object = {}) =>
  (await visitor.ok('GET /console/chats', { query })).chats.map(({ title }) => title);

test('an archived chat leaves the list and nothing else, in all windows, and a word in it brings it back', async () => {
  const ada = await stage.arrive('Ada');
  const chatId = await write(ada, 'Tides', 'about the moon');
  await write(ada, 'Winds', 'about the sun');
  const window = await ada.listen();
  const archive = (isArchived: boolean) =>
    ada.ok('PATCH /console/chats/:chatId', { chatId, body: { isArchived } });
  assert.equal((await archive(true)).isArchived, true);
  await window.until((event) => event.type === 'chatChanged' && event.chat.isArchived);
  assert.deepEqual(await titles(ada), ['Winds']);
  assert.deepEqual(await titles(ada, { archived: 'only' }), ['Tides']);
  const { results } = await ada.ok('GET /console/chats/search', { query: { q: 'moon' } });
  assert.deepEqual(
    results.map(({ chat }) => [chat.title, chat.isArchived]),
    [['Tides', true]],
  );
  const exported = JSON.parse((await ada.call('GET /console/chats/export')).text) as ChatArchive;
  assert.equal(exported.chats.find(({ title }) => title === 'Tides')?.archivedAt === null, false);

  await archive(false);
  assert.deepEqual((await titles(ada)).toSorted(), ['Tides', 'Winds']);
  await archive(true);
  await say(ada, chatId, 'and one thing more');
  assert.deepEqual((await titles(ada)).toSorted(), ['Tides', 'Winds']);
  await archive(true);
  const { count, restorableUntil } = await ada.ok('DELETE /console/chats', {});
  assert.equal(count, 2, 'everything means what is put away too');
  await window.until((event) => event.type === 'chatsChanged');
  assert.deepEqual(await titles(ada, { archived: 'with' }), []);
  const bob = await stage.arrive('Bob of the archive');
  await write(bob, 'His own', 'about nothing');
  const body = { restorableUntil };
  await bob.refused('POST /console/chats/restore', 404, 'not_found', { body });
  assert.deepEqual(await ada.ok('POST /console/chats/restore', { body }), { count: 2 });
  assert.deepEqual((await titles(ada, { archived: 'with' })).toSorted(), ['Tides', 'Winds']);
  await ada.refused('POST /console/chats/restore', 404, 'not_found', { body });
  window.close();
});

test('folders hold chats, are told to all windows, travel in an export, and leave their chats behind', async () => {
  const ada = await stage.arrive('Ada of the folders');
  const chatId = await write(ada, 'Tides', 'about the moon');
  await write(ada, 'Winds', 'about the sun');
  const window = await ada.listen();
  const folder = await ada.ok('POST /console/folders', { body: { name: '  Thesis ' } });
  assert.equal(folder.name, 'Thesis');
  await window.until((event) => event.type === 'foldersChanged' && event.folders.length === 1);
  await ada.ok('PATCH /console/chats/:chatId', { chatId, body: { folderId: folder.id } });
  await window.until((event) => event.type === 'chatChanged' && event.chat.folderId === folder.id);
  assert.deepEqual(await titles(ada, { folder: folder.id }), ['Tides']);
  assert.deepEqual(await titles(ada, { folder: 'none' }), ['Winds']);
  assert.deepEqual((await titles(ada)).length, 2);

  const bob = await stage.arrive('Bob of the folders');
  const exported = JSON.parse((await ada.call('GET /console/chats/export')).text) as ChatArchive;
  const his = await bob.listen();
  await bob.ok('POST /console/chats/import', { body: exported });
  await his.until((event) => event.type === 'chatsChanged');
  his.close();
  await bob.ok('POST /console/chats/import', { body: exported });
  const { folders } = await bob.ok('GET /console/folders');
  assert.deepEqual(
    folders.map(({ name }) => name),
    ['Thesis'],
  );
  assert.deepEqual(await titles(bob, { folder: folders[0]!.id }), ['Tides', 'Tides']);

  const folderId = folder.id;
  await ada.ok('PATCH /console/folders/:folderId', { folderId, body: { name: 'Book' } });
  await ada.ok('DELETE /console/folders/:folderId', { folderId });
  await window.until((event) => event.type === 'foldersChanged' && event.folders.length === 0);
  assert.deepEqual((await titles(ada, { folder: 'none' })).length, 2);
  for (const name of ['', '   ', 'x'.repeat(81)])
    await ada.refused('POST /console/folders', 400, 'invalid_parameter', { body: { name } });
  for (let count = 0; count < 200; count += 1)
    await ada.ok('POST /console/folders', { body: { name: `${count}` } });
  await ada.refused('POST /console/folders', 400, 'invalid_request', { body: { name: 'one more' } });
  window.close();
});

const empty = {
  description: '',
  model: null,
  effort: null,
  systemPrompt: null,
  parameters: null,
  prompt: '',
};

test('presets are one’s own or the service’s, bounded, and what operators offer is in the audit', async () => {
  const ada = await stage.arrive('Ada of the presets');
  const root = await stage.arrive('Root of the presets', 'administrator');
  const translate = { ...empty, name: 'translate', prompt: 'Translate {text} into {language}.' };
  const made = await ada.ok('POST /console/presets', { body: translate });
  assert.equal(made.scope, 'person');
  await ada.refused('POST /console/presets', 409, 'conflict', { body: { ...translate, name: 'TRANSLATE' } });
  const offered = await root.ok('POST /console/administration/presets', {
    body: { ...empty, name: 'translate', model, systemPrompt: 'Be brief.', parameters: { temperature: 0 } },
  });
  const names = async (visitor: Visitor) =>
    (await visitor.ok('GET /console/presets')).presets.map(({ scope, name }) => `${scope} ${name}`);
  assert.deepEqual(await names(ada), ['person translate', 'service translate']);
  assert.deepEqual(await names(root), ['service translate']);

  const { presets } = await ada.ok('GET /console/presets');
  assert.deepEqual(presets[1], offered);
  const presetId = offered.id;
  await ada.refused('PUT /console/presets/:presetId', 404, 'not_found', { presetId, body: translate });
  await ada.refused('DELETE /console/presets/:presetId', 404, 'not_found', { presetId });
  const changed = { ...translate, name: 'übersetze', description: 'In eine andere Sprache' };
  await ada.ok('PUT /console/presets/:presetId', { presetId: made.id, body: changed });
  await root.ok('PUT /console/administration/presets/:presetId', { presetId, body: translate });
  await root.ok('DELETE /console/administration/presets/:presetId', { presetId });
  assert.deepEqual(await names(ada), ['person übersetze']);
  const { entries } = await root.ok('GET /console/administration/audit', { query: {} });
  assert.deepEqual(
    entries
      .filter(({ kind }) => kind.startsWith('preset-'))
      .map(({ kind, detail }) => [kind, detail['name']]),
    [
      ['preset-removed', 'translate'],
      ['preset-changed', 'translate'],
      ['preset-made', 'translate'],
    ],
  );

  for (const body of [{ name: 'two words' }, { name: '' }, { name: '/x' }, { model: '' }, { prompt: 7 }])
    await ada.refused('POST /console/presets', 400, 'invalid_parameter', { body: { ...translate, ...body } });
  await ada.refused('POST /console/presets', 400, 'invalid_request', { body: { ...empty, name: 'nothing' } });
  const long = 'x'.repeat(90_000);
  for (let count = 0; count < 11; count += 1)
    await ada.ok('POST /console/presets', { body: { ...empty, name: `l${count}`, systemPrompt: long } });
  await ada.refused('POST /console/presets', 400, 'invalid_request', {
    body: { ...empty, name: 'l11', systemPrompt: long },
  });
});
