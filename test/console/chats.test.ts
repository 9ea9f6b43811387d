import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import type { ChatArchive } from '#contract/archive';
import { startStage, tester } from './stage.ts';
import type { Visitor } from './visitor.ts';

const model = 'beta-4-scout';

async function write(visitor: Visitor, title: string, ...contents: string[]) {
  const chat = await visitor.ok('POST /console/chats', { body: { title, model } });
  const ids: string[] = [];
  for (const [index, content] of contents.entries()) {
    const body = {
      parentId: ids.at(-1) ?? null,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content,
    } as const;
    ids.push((await visitor.ok('POST /console/chats/:chatId/messages', { chatId: chat.id, body })).id);
  }
  return { chatId: chat.id, ids };
}

test('search finds words, beginnings, phrases and accents, and only what is one’s own and not deleted', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const bob = await stage.arrive('Bob');
  await write(bob, 'Lighthouse of Bob', 'the lighthouse is mine');
  const { chatId } = await write(
    ada,
    'Café au lait',
    'How do I build a LIGHTHOUSE on the Straße?',
    'With stone & patience.',
  );
  const trip = await write(
    ada,
    'Trip',
    `${'padding '.repeat(100)}the lighthouse keeper ${'more padding '.repeat(100)}`,
  );
  const find = async (q: string) => {
    const { results } = await ada.ok('GET /console/chats/search', { query: { q } });
    return results.map(({ chat }) => chat.title);
  };
  assert.deepEqual(await find('lighthouse'), ['Trip', 'Café au lait']);
  assert.deepEqual(await find('lightho'), ['Trip', 'Café au lait']);
  assert.deepEqual(await find('"lighthouse keeper"'), ['Trip']);
  assert.deepEqual(await find('keeper lighthouse'), ['Trip']);
  assert.deepEqual(await find('cafe'), ['Café au lait']);
  assert.deepEqual(await find('lighthouse of bob'), []);

  const { results } = await ada.ok('GET /console/chats/search', { query: { q: 'lighthouse' } });
  const [hit] = results;
  assert.equal(hit?.messageId, trip.ids[0]);
  assert.deepEqual(
    hit?.snippet.filter(({ isMatch }) => isMatch).map(({ text }) => text),
    ['lighthouse'],
  );
  assert.ok(hit.snippet.map(({ text }) => text).join('').length < 200);

  await ada.ok('DELETE /console/chats/:chatId/messages/:messageId', {
    chatId: trip.chatId,
    messageId: trip.ids[0]!,
  });
  assert.deepEqual(await find('lighthouse'), ['Café au lait']);
  await ada.ok('DELETE /console/chats/:chatId', { chatId });
  assert.deepEqual(await find('lighthouse'), []);
  await ada.ok('POST /console/chats/:chatId/restore', { chatId });
  assert.deepEqual(await find('lighthouse'), ['Café au lait']);
});

test('a chat is found once, however many of its messages match and however many pages there are', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  await write(ada, 'Old and plain', 'the harbour');
  await write(ada, 'Harbour by name', 'nothing of it inside');
  const now = Date.now();
  const messages = Array.from({ length: 450 }, (_, turn) => ({
    id: `m${turn}`,
    parentId: turn === 0 ? null : `m${turn - 1}`,
    role: 'user',
    content: `harbour ${turn}`,
    createdAt: now,
  }));
  const chats = [{ title: 'Talks of nothing else', model, createdAt: now, updatedAt: now, messages }];
  const body = { format: 'gatehouse-chats', version: 1, exportedAt: now, chats };
  assert.equal((await ada.call('POST /console/chats/import', { body })).status, 200);
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { q: 'harbour', limit: 1, ...(cursor !== undefined && { cursor }) };
    const page = await ada.ok('GET /console/chats/search', { query });
    titles.push(...page.results.map(({ chat }) => chat.title));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(titles, ['Harbour by name', 'Talks of nothing else', 'Old and plain']);
});

test('no search is too odd, and none means more than its words', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  await write(ada, 'Plain', 'a or not near and title body owner "quoted" 100% _under_');
  const odd = [
    '"',
    '""',
    '"""',
    "'",
    '*',
    '^',
    'a*',
    '-',
    '()',
    'NEAR(',
    'NEAR(a b, 3)',
    'title:x',
    'owner:x',
    'body : "a" OR "b"',
    'AND',
    'a AND',
    'NOT a',
    '{title body}: a',
    '\u0000',
    'a\u0000b',
    '%',
    '_',
    '\\',
    ';DROP TABLE chats',
    '🔥',
    '\ud800',
    'x'.repeat(500),
    'a '.repeat(250),
    '"'.repeat(499),
    '(((((((((((((((((((((',
    'ﬁ',
    '\u202e',
    '\n\r\t',
    '一',
    '"一 二"三x',
    'x\u0e31',
    '一'.repeat(500),
  ];
  for (const q of odd) {
    const { status, text } = await ada.call('GET /console/chats/search', { query: { q } });
    assert.equal(status, 200, `${JSON.stringify(q)}: ${text}`);
  }
  for (const q of ['nonsense OR plain', 'title:plain', 'NOT nonsense', 'plain*x']) {
    assert.deepEqual((await ada.ok('GET /console/chats/search', { query: { q } })).results, [], q);
  }
  assert.equal(
    (await ada.ok('GET /console/chats/search', { query: { q: 'under "quoted" or' } })).results.length,
    1,
  );
  // The store takes nobody's word for it that a term is harmless.
  const { person } = await ada.ok('GET /console/session');
  const smuggled = { terms: ['nonsense" OR body : "near'], isLastUnfinished: false };
  const page = { skip: 0, limit: 10 };
  assert.deepEqual(await stage.storage.conversations.searchChats(person!.id, smuggled, page), []);
  await ada.refused('GET /console/chats/search', 400, 'invalid_parameter', {
    query: { q: 'a', cursor: "1' OR 1" },
  });
  await ada.refused('GET /console/chats/search', 400, 'invalid_parameter', { query: { q: 'x'.repeat(501) } });
});

test('lists are paged without gaps or repeats, with pins where they were asked for', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  for (let count = 0; count < 23; count += 1) {
    const { id } = await ada.ok('POST /console/chats', { body: { title: `chat ${count}`, model } });
    if (count % 5 === 0)
      await ada.ok('PATCH /console/chats/:chatId', { chatId: id, body: { isPinned: true } });
    if (count % 3 === 0) stage.advance(1000);
  }
  const readAll = async (pinned?: 'only' | 'without') => {
    const titles: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ada.ok('GET /console/chats', {
        query: { limit: 4, ...(pinned !== undefined && { pinned }), ...(cursor !== undefined && { cursor }) },
      });
      titles.push(...page.chats.map(({ title }) => title));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return titles;
  };
  const all = await readAll();
  assert.equal(new Set(all).size, 23);
  assert.equal(all.length, 23);
  assert.equal((await readAll('only')).length, 5);
  assert.equal((await readAll('without')).length, 18);
  await ada.refused('GET /console/chats', 400, 'invalid_parameter', { query: { cursor: '1.x; --' } });
  await ada.refused('GET /console/chats', 400, 'invalid_parameter', { query: { limit: 100_000 } });
});

test('what is deleted can be undone for a day, and is gone for good after that', async () => {
  const stage = await startStage();
  const ada = await stage.arrive('Ada');
  const { chatId, ids } = await write(ada, 'Tree', 'root', 'answer one', 'follow-up');
  const sibling = { parentId: ids[0]!, role: 'assistant', content: 'answer two' } as const;
  const { id: siblingId } = await ada.ok('POST /console/chats/:chatId/messages', { chatId, body: sibling });
  const removed = await ada.ok('DELETE /console/chats/:chatId/messages/:messageId', {
    chatId,
    messageId: siblingId,
  });
  assert.equal(removed.activeLeafId, ids[2], 'what is left below the same parent comes to the front');
  const subtree = await ada.ok('DELETE /console/chats/:chatId/messages/:messageId', {
    chatId,
    messageId: ids[1]!,
  });
  assert.equal(subtree.activeLeafId, ids[0]);
  const restored = await ada.ok('POST /console/chats/:chatId/messages/:messageId/restore', {
    chatId,
    messageId: ids[1]!,
  });
  assert.deepEqual(
    restored.messages.map(({ content }) => content),
    ['root', 'answer one', 'follow-up'],
  );
  assert.equal(restored.chat.activeLeafId, ids[2]);

  const removedAll = await ada.ok('DELETE /console/chats');
  assert.equal(removedAll.count, 1);
  await ada.ok('POST /console/chats/:chatId/restore', { chatId });
  await ada.ok('DELETE /console/chats/:chatId', { chatId });
  stage.advance(25 * 3_600_000);
  await ada.refused('POST /console/chats/restore', 404, 'not_found', {
    body: { restorableUntil: removedAll.restorableUntil },
  });
  await ada.refused('POST /console/chats/:chatId/restore', 404, 'not_found', { chatId });
  await ada.refused('POST /console/chats/:chatId/messages/:messageId/restore', 404, 'not_found', {
    chatId,
    messageId: siblingId,
  });
  while ((await stage.storage.conversations.purge(Date.now() + 25 * 3_600_000)) > 0);
  assert.ok(!stage.dump().includes('follow-up'));
  await stage.stop();
});

test('a start deletes chats that are kept no longer, and brings those of an older version into the search', async () => {
  const day = 86_400_000;
  const stage = await startStage();
  const ada = await stage.arrive('Ada');
  const old = await write(ada, 'Old', 'forgotten words');
  const newer = await write(ada, 'Newer', 'remembered words: 昨天讨论了机器学习');
  await stage.abandon();
  const database = new DatabaseSync(join(stage.dataDir, 'gatehouse.db'));
  const age = database.prepare('UPDATE chats SET updated_at = updated_at - ? WHERE id = ?');
  age.run(31 * day, old.chatId);
  age.run(29 * day, newer.chatId);
  database.exec('DELETE FROM message_piece_search');
  database.close();
  await using again = await startStage({ dataDir: stage.dataDir, keepChatsMs: 30 * day });
  const back = again.visitor();
  for (const [name, value] of ada.cookies) back.cookies.set(name, value);
  const chats = await waitUntil('the old one is gone', async () => {
    const found = (await back.ok('GET /console/chats')).chats;
    return found.length < 2 ? found : undefined;
  });
  assert.deepEqual(
    chats.map(({ id }) => id),
    [newer.chatId],
  );
  await waitUntil('the other one is found', async () => {
    const { results } = await back.ok('GET /console/chats/search', { query: { q: '学习' } });
    return results.some(({ chat }) => chat.id === newer.chatId);
  });
});

test('an archive brings everything back, for anybody, and a broken one brings nothing', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const bob = await stage.arrive('Bob');
  const { chatId, ids } = await write(ada, 'Ünïcode / "title"', 'first', 'second', 'third');
  const sibling = { parentId: ids[0]!, role: 'assistant', content: '<script>alert(1)</script>' } as const;
  await ada.ok('POST /console/chats/:chatId/messages', { chatId, body: sibling });
  const settings = {
    systemPrompt: 'Be kind.',
    parameters: { temperature: 0.5, stop: ['END'] },
    isPinned: true,
  };
  await ada.ok('PATCH /console/chats/:chatId', { chatId, body: settings });
  await write(ada, 'Another', 'hello');

  const file = await ada.call('GET /console/chats/export');
  const archive = JSON.parse(file.text) as ChatArchive;
  assert.match(
    file.headers.get('content-disposition') ?? '',
    /^attachment; filename="chats-\d{4}-\d\d-\d\d\.json"/,
  );
  const imported = await bob.ok('POST /console/chats/import', { body: archive });
  assert.equal(imported.chats.length, 2);
  const again = JSON.parse((await bob.call('GET /console/chats/export')).text) as ChatArchive;
  assert.deepEqual(anonymous(again), anonymous(archive));

  const markdown = await ada.call('GET /console/chats/:chatId/export', {
    chatId,
    query: { format: 'markdown' },
  });
  assert.match(
    markdown.text,
    /^# Ünïcode \/ "title"\n\n## System prompt\n\nBe kind\.\n\n## You\n\nfirst\n\n## beta-4-scout/,
  );
  assert.match(
    markdown.headers.get('content-disposition') ?? '',
    /filename\*=UTF-8''%C3%9Cn%C3%AFcode%20title\.md$/,
  );
  assert.equal(markdown.headers.get('x-content-type-options'), 'nosniff');

  const before = stage.dump();
  const [chat] = archive.chats;
  const broken = [
    { ...archive, format: 'something-else' },
    { ...archive, chats: [chat, { ...chat, messages: [{ ...chat!.messages[1], parentId: 'nowhere' }] }] },
    { ...archive, chats: [chat, { ...chat, messages: [chat!.messages[0], chat!.messages[0]] }] },
    { ...archive, chats: [{ ...chat, messages: [{ ...chat!.messages[0], state: 'running' }] }] },
  ];
  for (const body of broken)
    assert.equal((await bob.call('POST /console/chats/import', { body })).status, 400);
  assert.equal(stage.dump(), before);
});

test('a very long chat is read in pages, from its end back, with the branch one looks at', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const now = Date.now();
  const message = (id: string, parentId: string | null, length: number) => ({
    id,
    parentId,
    role: 'user',
    content: `${id} ${'x'.repeat(length)}`,
    createdAt: now,
  });
  const messages = [
    message('root', null, 10),
    message('aside', 'root', 10),
    ...Array.from({ length: 2500 }, (_, turn) =>
      message(`m${turn}`, turn === 0 ? 'root' : `m${turn - 1}`, 900),
    ),
  ];
  const chats = [{ title: 'Long', model, createdAt: now, updatedAt: now, messages }];
  const body = { format: 'gatehouse-chats', version: 1, exportedAt: now, chats } as unknown as ChatArchive;
  const imported = await ada.ok('POST /console/chats/import', { body });
  const chatId = imported.chats[0]!.id;

  const first = await ada.ok('GET /console/chats/:chatId', { chatId });
  assert.equal(first.messages.length, 2000);
  assert.equal(first.messages.at(-1)?.id, first.chat.activeLeafId);
  const second = await ada.ok('GET /console/chats/:chatId', {
    chatId,
    query: { before: first.earlierCursor },
  });
  assert.equal(second.earlierCursor, undefined);
  const whole = [...second.messages, ...first.messages];
  assert.deepEqual(
    whole.map(({ content }) => content.split(' ')[0]),
    messages.map(({ id }) => id),
  );

  const aside = whole[1]!;
  await ada.ok('PATCH /console/chats/:chatId', { chatId, body: { activeLeafId: aside.id } });
  const looked = await ada.ok('GET /console/chats/:chatId', { chatId });
  assert.deepEqual(
    looked.messages.slice(0, 2).map(({ id }) => id),
    [whole[0]!.id, aside.id],
  );
  const file = JSON.parse((await ada.call('GET /console/chats/export')).text) as ChatArchive;
  assert.equal(file.chats[0]?.messages.length, messages.length);
});

test('the chats of one person take no more than they may, and what is gone makes room', async () => {
  await using stage = await startStage({ storagePerPersonBytes: 100_000 });
  const ada = await stage.arrive('Ada');
  const { chatId, ids } = await write(ada, 'Full', 'x'.repeat(60_000));
  const full = { parentId: ids[0]!, role: 'user', content: 'y'.repeat(60_000) };
  const now = Date.now();
  const archived = { id: 'm', parentId: null, role: 'user', content: 'z'.repeat(60_000), createdAt: now };
  const chats = [{ title: 'Import', model, createdAt: now, updatedAt: now, messages: [archived] }];
  const before = stage.dump();
  await ada.refused('POST /console/chats/:chatId/messages', 413, 'storage_full', { chatId, body: full });
  await ada.refused('POST /console/chats/import', 413, 'storage_full', {
    body: { format: 'gatehouse-chats', version: 1, exportedAt: now, chats },
  });
  await ada.refused('POST /console/generations', 413, 'storage_full', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: full.content }],
      model,
      requestKey: 'too-much-to-keep',
    },
  });
  assert.equal(stage.dump(), before);
  const used = (await ada.ok('GET /console/session')).storage;
  assert.ok(
    used !== null && used.usedBytes > 60_000 && used.usedBytes < 65_000 && used.limitBytes === 100_000,
  );
  await ada.ok('DELETE /console/chats/:chatId', { chatId });
  await ada.refused('POST /console/generations', 413, 'storage_full', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: full.content }],
      model,
      requestKey: 'still-too-much',
    },
  });
  while ((await stage.storage.conversations.purge(Date.now() + 1)) > 0);
  assert.equal((await ada.ok('GET /console/session')).storage?.usedBytes, 0);
  await write(ada, 'Room again', full.content);
});

test('a chat whose title is cut within an emoji can be exported, and its title stays whole', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  for (const title of [`${'x'.repeat(79)}🦉 and more`, `${'x'.repeat(79)}\ud83e`]) {
    const { id: chatId } = await ada.ok('POST /console/chats', { body: { title, model } });
    for (const format of ['json', 'markdown']) {
      const { status, text } = await ada.call('GET /console/chats/:chatId/export', {
        chatId,
        query: { format },
      });
      assert.equal(status, 200, text);
    }
  }
  const archive = JSON.parse((await ada.call('GET /console/chats/export')).text) as ChatArchive;
  assert.ok(archive.chats.every(({ title }) => title.isWellFormed()));
  const { chat } = await ada.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: `${'x'.repeat(59)}🦉 and more` }],
      model,
      requestKey: 'an-owl-at-sixty',
    },
  });
  assert.equal(chat.title, `${'x'.repeat(59)}…`);
});

test('a shared link shows one branch to those who are signed in, until it is taken back', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const bob = await stage.arrive('Bob');
  const { chatId, ids } = await write(ada, 'Shared', 'question', 'answer', 'private afterthought');
  await ada.ok('PATCH /console/chats/:chatId', { chatId, body: { systemPrompt: 'my secret instructions' } });
  const { shareId } = await ada.ok('PUT /console/chats/:chatId/share', { chatId, body: { leafId: ids[1]! } });
  const shared = await bob.call('GET /console/shared/:shareId', { shareId });
  assert.equal(shared.status, 200);
  assert.doesNotMatch(shared.text, /afterthought|secret instructions|ada@example/);
  const copy = await bob.ok('POST /console/shared/:shareId/copy', { shareId });
  const own = await bob.ok('GET /console/chats/:chatId', { chatId: copy.id });
  assert.deepEqual(
    [own.messages.map(({ content }) => content), own.chat.systemPrompt],
    [['question', 'answer'], ''],
  );
  await stage.visitor().refused('GET /console/shared/:shareId', 401, 'sign_in_required', { shareId });
  await ada.ok('DELETE /console/chats/:chatId/share', { chatId });
  await bob.refused('GET /console/shared/:shareId', 404, 'not_found', { shareId });
  await bob.refused('POST /console/shared/:shareId/copy', 404, 'not_found', { shareId });

  // Whoever is disabled is not read any more either.
  const again = await ada.ok('PUT /console/chats/:chatId/share', { chatId, body: { leafId: ids[1]! } });
  await bob.ok('GET /console/shared/:shareId', again);
  const { person } = await ada.ok('GET /console/session');
  await stage.desks.people.change(person!.id, { state: 'disabled' }, tester);
  await bob.refused('GET /console/shared/:shareId', 404, 'not_found', again);
  await bob.refused('POST /console/shared/:shareId/copy', 404, 'not_found', again);
});

test('malformed, deep, doubled and huge bodies are refused on every route and change nothing', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const before = stage.dump();
  const deep = `{"title":"x","model":"m","parameters":{"tools":${'['.repeat(200)}${']'.repeat(200)}}}`;
  const bodies: readonly [string, number][] = [
    ['', 400],
    ['null', 400],
    ['[]', 400],
    ['"x"', 400],
    ['{', 400],
    ['{"model":"m"} trailing', 400],
    ['{"model":"a","model":"b"}', 400],
    [deep, 400],
    ['{"model":"m","unknown":1}', 400],
    ['{"model":1e309}', 400],
    ['{"model":"m","parameters":{"temperature":1e309}}', 400],
    ['{"model":"m","parameters":{"maxTokens":-1}}', 400],
    ['{"model":"m","parameters":{"seed":9007199254740993}}', 400],
    [`{"model":"${'x'.repeat(5_000_000)}"}`, 413],
    ['{"model":"m","__proto__":{"isAdmin":true}}', 400],
  ];
  for (const [body, status] of bodies) {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': ada.csrfToken };
    const answer = await ada.raw('POST', '/console/chats', { body, headers });
    assert.equal(answer.status, status, body.slice(0, 60));
  }
  assert.equal((await ada.raw('GET', '/console/nothing/here')).status, 404);
  assert.equal((await ada.raw('GET', '/console')).status, 404);
  const wrongMethod = await ada.raw('PUT', '/console/chats');
  assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [405, 'GET, POST, DELETE']);
  assert.equal((await ada.raw('GET', '/console/chats?limit=1&limit=2')).status, 400);
  assert.equal((await ada.raw('GET', '/console/chats/..%2f..%2fkeys')).status, 400);
  assert.equal(stage.dump(), before);
});

/** Without what import makes anew: ids, and when the file was written. */
function anonymous(archive: ChatArchive) {
  return archive.chats.map(({ messages, activeLeafId, ...chat }) => {
    const place = new Map(messages.map(({ id }, index) => [id, index]));
    return {
      ...chat,
      leaf: place.get(activeLeafId ?? ''),
      messages: messages.map(({ id, parentId, ...message }) => ({
        ...message,
        at: place.get(id),
        below: place.get(parentId ?? ''),
      })),
    };
  });
}
