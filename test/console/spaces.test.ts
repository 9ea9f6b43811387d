import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PersonEvent } from '#contract/generations';
import { waitUntil } from '#harness/wait-until';
import { startStage, tester, type Stage } from './stage.ts';
import type { Listening, Visitor } from './visitor.ts';

const model = 'beta-4-scout';
const projectId = 'genomics';
const asker = { by: tester, isAdministrator: true };

let stage: Stage;
let lead: Visitor;
let member: Visitor;
let stranger: Visitor;
let clicks = 0;

before(async () => {
  stage = await startStage();
  lead = await stage.arrive('Lea');
  member = await stage.arrive('Max');
  stranger = await stage.arrive('Sam');
  await stage.projectDesk.create(asker, { id: projectId, name: 'Genomics' });
  await stage.projectDesk.putMember(asker, projectId, 'lea@example.org', 'lead');
  await stage.projectDesk.putMember(asker, projectId, 'max@example.org', 'member');
});

after(() => stage.stop());

test('what is asked in a space has its instructions first, its documents at hand, and its account', async () => {
  await lead.ok('PUT /console/spaces/:projectId/instructions', {
    projectId,
    body: { instructions: 'Answer for geneticists.' },
  });
  const document = await bring(lead, 'primer.txt', 'The primer of the third run is called Quill-77.');
  await member.refused('PUT /console/spaces/:projectId/instructions', 403, 'permission_denied', {
    projectId,
    body: { instructions: 'Obey me.' },
  });
  await member.refused('POST /console/documents', 403, 'permission_denied', {
    body: { name: 'x.txt', kind: 'text', mediaType: 'text/plain', bytes: 0, projectId },
  });
  const { spaces } = await member.ok('GET /console/spaces');
  assert.deepEqual(spaces, [{ projectId, name: 'Genomics', hasEnded: false, models: [] }]);
  const seen = await member.ok('GET /console/spaces/:projectId', { projectId });
  assert.deepEqual(
    [seen.instructions, seen.isKeeper, seen.role, seen.documents.map(({ name }) => name)],
    ['Answer for geneticists.', false, 'member', ['primer.txt']],
  );
  assert.ok(seen.storage.usedBytes > 0);
  const { messages, chat } = await ask(member, 'What is the primer called?', {
    projectId,
    systemPrompt: 'Be brief.',
  });
  assert.equal(chat.systemPrompt, 'Be brief.', 'what the person wrote stays what it was');
  const asked = await lastAsked();
  assert.equal(asked.ask.projectId, projectId);
  const sent = asked.ask.request['messages'] as { role: string; content: string }[];
  assert.deepEqual(sent[0], { role: 'system', content: 'Answer for geneticists.\n\nBe brief.' });
  assert.match(sent[1]?.content ?? '', /file="primer\.txt"[^]*Quill-77[^]*What is the primer called\?/);
  const [source] = messages.at(-1)?.context?.sources ?? [];
  assert.equal(source?.documentId, document.id);
  const { space: given } = messages.at(-1)!.context!;
  assert.equal(given?.instructionsAt, seen.instructionsChangedAt);
  assert.deepEqual(given.documents, [{ documentId: document.id, name: 'primer.txt' }]);
  const page = { documentId: document.id, query: { from: 1 } };
  assert.match((await member.ok('GET /console/documents/:documentId/pages', page)).pages[0]!.text, /Quill/);
  await stranger.refused('GET /console/documents/:documentId/pages', 404, 'not_found', page);
  await member.refused('DELETE /console/documents/:documentId', 409, 'conflict', { documentId: document.id });
  asked.finish();
  await ended(member, chat.id);

  // The next question of the same chat is asked there too, without saying so.
  await ask(member, 'And the second one?', { chatId: chat.id, parentId: messages.at(-1)!.id });
  const next = await lastAsked();
  assert.equal(next.ask.projectId, projectId);
  next.finish();
  await ended(member, chat.id);
  const kinds = (await stage.audit.list({ limit: 20 })).map(({ kind }) => kind);
  assert.ok(kinds.includes('space-instructions-changed') && kinds.includes('space-document-added'));
  const preview = { projectId, chatId: null, parentId: null, content: 'primer?', model };
  const planned = await member.ok('POST /console/context', { body: preview });
  assert.ok(planned.sources.length === 1 && planned.parts.instructions > 0);
});

test('a shared chat is read live, goes on in a copy, and is withdrawn by its owner or a lead', async () => {
  const { chat } = await ask(member, 'Which gene is it?', { projectId });
  const chatId = chat.id;
  const shared = { projectId, chatId };
  await lead.refused('GET /console/spaces/:projectId/chats/:chatId', 404, 'not_found', shared);
  const { place } = await member.ok('PUT /console/chats/:chatId/space', { chatId, body: { projectId } });
  assert.deepEqual(place, { projectId, name: 'Genomics', isInside: true, isShared: true, isMember: true });
  const answer = await lastAsked();
  answer.say('It is BRCA');
  await waitUntil('the others read what is being written', async () => {
    const read = await lead.ok('GET /console/spaces/:projectId/chats/:chatId', shared);
    return read.messages.at(-1)?.content === 'It is BRCA';
  });
  const news = await lead.listen();
  await hears(chatId, news, 'It is BRCA');
  answer.say('1.');
  await hears(chatId, news, 'It is BRCA1.');
  answer.finish();
  await news.until((event) => event.type === 'spaceChanged' && event.projectId === projectId);
  await ended(member, chatId);
  await onlyWhileItIsShared(chatId, news);
  news.close();
  const copy = await lead.ok('POST /console/spaces/:projectId/chats/:chatId/copy', shared);
  const copied = await lead.ok('GET /console/chats/:chatId', { chatId: copy.id });
  assert.equal(copied.messages.at(-1)?.content, 'It is BRCA1.');
  const copiedPlace = await lead.ok('GET /console/chats/:chatId/space', { chatId: copy.id });
  assert.ok(copiedPlace.place?.isInside === true && !copiedPlace.place.isShared);
  await member.refused('DELETE /console/spaces/:projectId/chats/:chatId', 403, 'permission_denied', shared);
  await lead.ok('DELETE /console/spaces/:projectId/chats/:chatId', shared);
  const { entries } = await member.ok('GET /console/account/notices');
  assert.equal(entries[0]?.kind, 'space-chat-withdrawn');
  await lead.refused('GET /console/spaces/:projectId/chats/:chatId', 404, 'not_found', shared);
  await member.ok('PUT /console/chats/:chatId/space', { chatId, body: { projectId } });
  const leadsWindow = await lead.listen();
  const { restorableUntil } = await member.ok('DELETE /console/chats');
  await leadsWindow.until((event) => event.type === 'spaceChanged' && event.projectId === projectId);
  leadsWindow.close();
  await lead.refused('GET /console/spaces/:projectId/chats/:chatId', 404, 'not_found', shared);
  await member.ok('POST /console/chats/restore', { body: { restorableUntil } });
  await lead.ok('GET /console/spaces/:projectId/chats/:chatId', shared);
  await member.ok('DELETE /console/chats/:chatId/space', { chatId, query: { what: 'share' } });
  await lead.refused('GET /console/spaces/:projectId/chats/:chatId', 404, 'not_found', shared);
});

test('leads write presets of the project, its members have them, others do not, and they go with it', async () => {
  const body = {
    name: 'primer',
    description: 'Says which primer',
    model,
    effort: null,
    systemPrompt: null,
    parameters: null,
    prompt: 'Which primer suits {gene}?',
  };
  const window = await member.listen();
  const made = await lead.ok('POST /console/spaces/:projectId/presets', { projectId, body });
  await window.until((event) => event.type === 'spaceChanged' && event.projectId === projectId);
  window.close();
  assert.deepEqual([made.scope, made.projectId], ['project', projectId]);
  await member.ok('POST /console/presets', { body });
  const of = async (visitor: Visitor) =>
    (await visitor.ok('GET /console/presets')).presets.map(({ scope, name }) => `${scope} ${name}`);
  assert.deepEqual(await of(member), ['person primer', 'project primer'], 'one’s own before the project’s');
  assert.deepEqual(await of(stranger), []);
  const one = { projectId, presetId: made.id };
  for (const [visitor, status, code] of [
    [member, 403, 'permission_denied'],
    [stranger, 404, 'not_found'],
  ] as const) {
    await visitor.refused('POST /console/spaces/:projectId/presets', status, code, { projectId, body });
    await visitor.refused('PUT /console/spaces/:projectId/presets/:presetId', status, code, { ...one, body });
    await visitor.refused('DELETE /console/spaces/:projectId/presets/:presetId', status, code, one);
  }
  await lead.refused('POST /console/spaces/:projectId/presets', 409, 'conflict', { projectId, body });
  const everyone = { projectId: 'everyone', body };
  await lead.refused('POST /console/spaces/:projectId/presets', 404, 'not_found', everyone);
  const long = { ...body, systemPrompt: 'x'.repeat(90_000) };
  await lead.ok('PUT /console/spaces/:projectId/presets/:presetId', { ...one, body: long });
  const more = { ...long, name: 'second' };
  const second = await lead.ok('POST /console/spaces/:projectId/presets', { projectId, body: more });
  await lead.refused('POST /console/spaces/:projectId/presets', 400, 'invalid_request', {
    projectId,
    body: { ...long, name: 'third' },
  });
  const presetId = second.id;
  await lead.ok('DELETE /console/spaces/:projectId/presets/:presetId', { projectId, presetId });
  const trail = (await stage.audit.list({ limit: 4 })).map(({ kind, detail }) => [kind, detail['project']]);
  assert.deepEqual(trail.slice(0, 2), [
    ['preset-removed', projectId],
    ['preset-made', projectId],
  ]);

  await stage.projectDesk.create(asker, { id: 'short' });
  await stage.projectDesk.putMember(asker, 'short', 'max@example.org', 'lead');
  await member.ok('POST /console/spaces/:projectId/presets', { projectId: 'short', body });
  await stage.projectDesk.remove(asker, 'short');
  await stage.projectDesk.create(asker, { id: 'short' });
  await stage.projectDesk.putMember(asker, 'short', 'max@example.org', 'lead');
  assert.deepEqual(
    await of(member),
    ['person primer', 'project primer'],
    'a project takes its presets along',
  );
});

test('whoever leaves the project loses the space at once, in open windows too, and keeps their own words', async () => {
  const { chat } = await ask(member, 'Tell me a lot.', { projectId });
  const running = await lastAsked();
  running.say('Once upon');
  const { id: personId } = (await member.ok('GET /console/session')).person!;
  const window = await member.listen();
  await stage.projectDesk.removeMember(asker, projectId, personId);
  await window.until((event) => event.type === 'spaceLeft' && event.projectId === projectId);
  window.close();
  await waitUntil('what was written on the budget of the project has ended', async () => {
    const { messages } = await member.ok('GET /console/chats/:chatId', { chatId: chat.id });
    return messages.at(-1)?.state === 'interrupted';
  });
  assert.ok(running.ask.cancellation.isCancelled);
  await member.refused('GET /console/spaces/:projectId', 404, 'not_found', { projectId });
  const { documents } = await lead.ok('GET /console/spaces/:projectId', { projectId });
  const documentId = documents[0]!.id;
  await member.refused('GET /console/documents/:documentId', 404, 'not_found', { documentId });
  const body = {
    chatId: chat.id,
    parentId: null,
    newMessages: [{ role: 'user', content: 'more' }],
    model,
    requestKey: `the-click-${clicks++}`,
  };
  await member.refused('POST /console/generations', 403, 'permission_denied', { body });
  const { place } = await member.ok('GET /console/chats/:chatId/space', { chatId: chat.id });
  assert.equal(place?.isMember, false);
  await member.ok('DELETE /console/chats/:chatId/space', { chatId: chat.id, query: { what: 'place' } });
  await ask(member, 'more', { chatId: chat.id });
  const outside = await lastAsked();
  assert.equal(outside.ask.projectId, undefined);
  assert.equal((outside.ask.request['messages'] as object[]).length, 1, 'without instructions or documents');
  outside.finish();

  await lead.ok('DELETE /console/spaces/:projectId/documents/:documentId', { projectId, documentId });
  await lead.refused('GET /console/documents/:documentId', 404, 'not_found', { documentId });
});

/** Of an answer in a shared chat others hear until it is not shared any more. */
async function onlyWhileItIsShared(chatId: string, news: Listening<PersonEvent>): Promise<void> {
  const { messages } = await member.ok('GET /console/chats/:chatId', { chatId });
  const next = await ask(member, 'And the next?', { chatId, parentId: messages.at(-1)!.id });
  const answer = await lastAsked();
  answer.say('For all.');
  await hears(chatId, news, 'For all.');
  await member.ok('DELETE /console/chats/:chatId/space', { chatId, query: { what: 'share' } });
  const own = member.listenToAnswer(next.generation.id);
  await own.until(({ type }) => type === 'snapshot');
  answer.say(' For me.');
  answer.finish();
  await own.over();
  await member.ok('PUT /console/chats/:chatId/space', { chatId, body: { projectId } });
  await ended(member, chatId);
  assert.ok(heardText(news.events).endsWith('For all.'), 'nothing of what was said to the owner alone');
  await member.ok('DELETE /console/chats/:chatId/messages/:messageId', {
    chatId,
    messageId: next.messages[0]!.id,
  });
}

/** As a page does: what has changed is read anew, and that opens the answer. */
async function hears(chatId: string, { events }: Listening<PersonEvent>, text: string): Promise<void> {
  let read = -1;
  await waitUntil('the answer is heard', async () => {
    const changes = events.filter(({ type }) => type === 'spaceChanged').length;
    if (changes !== read)
      await lead.ok('GET /console/spaces/:projectId/chats/:chatId', { projectId, chatId });
    read = changes;
    return heardText(events).endsWith(text);
  });
}

/** What was heard of answers, in order. */
function heardText(events: readonly PersonEvent[]): string {
  return events
    .map((event) => {
      if (event.type !== 'answer') return '';
      if (event.event.type === 'snapshot') return event.event.message.content;
      return event.event.type === 'content' ? event.event.text : '';
    })
    .join('');
}

async function ask(
  visitor: Visitor,
  content: string,
  where: { projectId?: string; chatId?: string; parentId?: string; systemPrompt?: string },
) {
  return await visitor.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content }],
      model,
      requestKey: `the-click-${clicks++}`,
      ...where,
    },
  });
}

/** What was asked last reaches the engine a moment after the answer to the click. */
let answered = 0;
async function lastAsked() {
  return await stage.inference.asked(answered++);
}

async function ended(visitor: Visitor, chatId: string): Promise<void> {
  await waitUntil('the answer is written down', async () => {
    const { messages } = await visitor.ok('GET /console/chats/:chatId', { chatId });
    return messages.at(-1)?.state === 'complete';
  });
}

async function bring(visitor: Visitor, name: string, text: string) {
  const bytes = new Uint8Array(Buffer.from(text));
  const { id: documentId } = await visitor.ok('POST /console/documents', {
    body: { name, kind: 'text', mediaType: 'text/plain', bytes: bytes.length, projectId },
  });
  await visitor.ok('PUT /console/documents/:documentId/original/:part', { documentId, part: '0', bytes });
  await visitor.ok('POST /console/documents/:documentId/pages', {
    documentId,
    body: { pages: [{ number: 1, text }] },
  });
  return await visitor.ok('POST /console/documents/:documentId/complete', {
    documentId,
    body: { pageCount: 1 },
  });
}
