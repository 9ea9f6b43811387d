import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatArchive } from '../../../src/contract/archive.ts';
import { chatGptExport, claudeExport, openWebUiExport } from '../../../test/fixtures/foreign-exports.ts';
import { zipOf } from '../../../test/fixtures/zip.ts';
import { inBatches } from './batches.ts';
import { isZip, readZip } from './read-zip.ts';
import { understand } from './understand.ts';

const host = { model: 'beta-4-scout', untitled: 'Imported chat', now: 1_800_000_000_000 };

/** What comes out must be a file that the service takes. */
function read(value: unknown) {
  const understood = understand(structuredClone(value), host);
  assert.ok(understood !== undefined);
  chatArchive.parse({ format: 'gatehouse-chats', version: 1, exportedAt: host.now, chats: understood.chats });
  return understood;
}

test('an export of ChatGPT keeps branches, thoughts, tools, times and the place one was at', () => {
  const { chats, skipped } = read(chatGptExport());
  const [chat] = chats;
  assert.equal(chats.length, 1);
  assert.deepEqual(skipped, { chats: 1, messages: 0, files: 2 });
  assert.equal(chat?.title, 'Bird migration');
  assert.equal(chat.systemPrompt, 'Answer briefly.');
  assert.equal(chat.archivedAt, host.now);
  assert.deepEqual([chat.createdAt, chat.updatedAt], [1_717_000_000_000, 1_717_000_090_500]);
  const [question, nests, wing, picture] = chat.messages;
  assert.equal(chat.messages.length, 4);
  assert.deepEqual([question?.content, question?.parentId], ['Where do swifts sleep?', null]);
  assert.deepEqual([nests?.content, nests?.parentId, nests?.model], ['In nests.', question?.id, 'gpt-4o']);
  assert.equal(wing?.parentId, question?.id);
  assert.equal(wing?.reasoning, 'They sleep in flight.');
  assert.equal(
    wing?.content,
    '```\nsearch("swifts")\n```\n\n````\nten months ```aloft```\n````\n\nOn the wing.',
  );
  assert.equal(picture?.content, '[swift.jpg]\n\n[image]\n\nAnd this?');
  assert.equal(chat.activeLeafId, picture?.id);
});

test('an export of Open WebUI keeps the tree, the thoughts in it, pins and instructions', () => {
  const { chats, skipped } = read(openWebUiExport());
  assert.deepEqual(skipped, { chats: 0, messages: 0, files: 1 });
  const [tides, line] = chats;
  assert.equal(tides?.systemPrompt, 'You know the sea.');
  assert.equal(tides.isPinned, true);
  const [question, wind, moon] = tides.messages;
  assert.equal(question?.content, '[sea.pdf]\n\nWhy are there tides?');
  assert.deepEqual([wind?.parentId, moon?.parentId], [question?.id, question?.id]);
  assert.deepEqual([moon?.content, moon?.reasoning], ['Because of the moon.', 'It rises.\nThen it falls.']);
  assert.equal(tides.activeLeafId, moon?.id);
  assert.deepEqual(
    line?.messages.map(({ content, parentId }) => [content, parentId]),
    [
      ['One', null],
      ['Two', line?.messages[0]?.id],
    ],
  );
});

test('an export of Claude keeps branches, thoughts, what was pasted and what was written beside the chat', () => {
  const { chats, skipped } = read(claudeExport());
  assert.deepEqual(skipped, { chats: 1, messages: 0, files: 1 });
  const [moss, line] = chats;
  assert.deepEqual(
    [moss?.title, moss?.createdAt, moss?.updatedAt],
    ['Moss gardens', 1_717_000_000_000, 1_717_000_090_000],
  );
  const [question, light, shade] = moss?.messages ?? [];
  assert.equal(question?.content, '[notes.txt]\n\nShade.\n\n[moss.jpg]\n\nWhat is in my notes?');
  assert.deepEqual([light?.parentId, shade?.parentId], [question?.id, question?.id]);
  assert.equal(shade?.reasoning, 'They wrote of shade.');
  assert.equal(shade?.content, 'Shade. Here is a plan:\n\n```html\n<h1>Moss</h1>\n```');
  assert.equal(moss?.activeLeafId, shade?.id);
  assert.equal(line?.title, 'Untitled question');
  assert.deepEqual(
    line?.messages.map(({ content, parentId }) => [content, parentId]),
    [
      ['Untitled question', null],
      ['Answered.', line?.messages[0]?.id],
    ],
  );
});

test('hostile and broken files lose only what cannot be read, and end', () => {
  const say = (parent: unknown, role = 'user') => ({
    parent,
    message: {
      author: { role },
      content: { content_type: 'text', parts: ['\ud800 words'] },
      create_time: 'x',
    },
  });
  const circle = { mapping: { a: say('b'), b: say('a'), c: say('nowhere'), d: say('d'), e: 7 } };
  assert.equal(read([circle]).chats[0]?.messages.length, 4);
  const chain = Object.fromEntries(
    Array.from({ length: 30_000 }, (_, index) => [
      `n${index}`,
      say(`n${index - 1}`, index % 2 === 0 ? 'user' : 'assistant'),
    ]),
  );
  const long = read([{ title: 'x'.repeat(1000), mapping: chain, current_node: 'n29999' }]);
  assert.equal(long.chats[0]?.messages.length, 20_000);
  assert.equal(long.skipped.messages, 10_000);
  assert.equal(long.chats[0]?.title.length, 200);
  const odd = [
    null,
    7,
    { mapping: [] },
    { mapping: { __proto__: null, constructor: say(undefined) } },
    { chat: { history: { messages: { a: { role: 'user', content: [{ type: 'text', text: 'hi' }, 3] } } } } },
    { chat: 'no', title: 4 },
    { chat_messages: [{ uuid: 'a', parent_message_uuid: 'a', sender: 'human', content: 'no' }, 3] },
    ...chatGptExport(),
  ];
  const { chats, skipped } = read(odd);
  assert.deepEqual([chats.length, skipped.chats], [3, 6]);
  for (const nothing of [null, 7, 'x', [], {}, [{}], { chats: [] }])
    assert.equal(understand(nothing, host), undefined, JSON.stringify(nothing));
});

test('many chats go in batches, each chat whole', () => {
  const [chat] = read(openWebUiExport()).chats;
  assert.ok(chat !== undefined);
  const big = { ...chat, systemPrompt: 'x'.repeat(4_000_000) };
  const sizes = [...inBatches([big, big, ...Array.from({ length: 1200 }, () => chat)])].map(
    ({ length }) => length,
  );
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    1202,
  );
  assert.deepEqual(sizes.slice(0, 2), [1, 500]);
  assert.deepEqual([...inBatches([])], []);
});

test('conversations are read out of a zip, packed or not, and a broken one is refused', async () => {
  const words = JSON.stringify(chatGptExport());
  const zip = zipOf([
    ['chat.html', '<html>', true],
    ['export/conversations-000.json', words, true],
    ['conversations.json', words, false],
  ]);
  assert.equal(isZip(zip), true);
  const isWanted = (name: string) => name.endsWith('.json');
  assert.deepEqual(await readZip(new Blob([zip]), isWanted), [words, words]);
  await assert.rejects(readZip(new Blob([zip.subarray(0, 200)]), isWanted));
  const broken = Buffer.from(zip);
  broken.fill(255, 60, 90);
  await assert.rejects(readZip(new Blob([broken]), isWanted));
});
