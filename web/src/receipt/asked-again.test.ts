import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { Message } from '#contract/messages';
import type { SignedReceipt } from '#contract/receipts';
import { pendingMessage } from '../chat/conversation.ts';
import { askedMessages, isWhatWasAsked, requestOf, toolsOf } from './asked-again.ts';

Object.defineProperty(globalThis, 'isSecureContext', { value: true });

const toolNamed = (name: string) => ({
  type: 'function' as const,
  function: { name, description: 'x'.repeat(600), parameters: {} },
});
const own = toolNamed('own');
const offered = toolNamed('library_lookup');
const servers = [
  {
    name: 'library',
    label: '',
    description: '',
    tools: [{ name: 'lookup', title: '', description: '', told: offered }],
  },
];
const digestOf = (value: unknown) => ({ sha256: hash('sha256', JSON.stringify(value)), bytes: 700 });
const receiptWith = (tools: unknown) =>
  ({ receipt: { model: 'beta', seed: { value: 7 }, parameters: { tools } } }) as unknown as SignedReceipt;

test('a request asks with the instructions of the project before those of the person', async () => {
  const question = pendingMessage({ role: 'user', content: 'Why?', parentId: null });
  const answer: Message = pendingMessage({ role: 'assistant', content: 'So.', parentId: question.id });
  const messages = askedMessages([question, answer], answer, ['Be brief.', 'Be kind.']);
  const sent = [
    { role: 'system', content: 'Be brief.\n\nBe kind.' },
    { role: 'user', content: 'Why?' },
  ];
  assert.deepEqual(messages, sent);
  assert.equal(await isWhatWasAsked(messages, digestOf(sent)), true);
  assert.deepEqual(askedMessages([question], answer, ['', ' ']), [sent[1]]);
});

test('long tools that stand in the receipt as a digest are those that were sent', async () => {
  const parameters = { tools: [own], toolServers: ['library'] };
  const both = receiptWith(digestOf([own, offered]));
  assert.deepEqual(await toolsOf(both, parameters, servers), [own, offered]);
  assert.deepEqual(await toolsOf(receiptWith(digestOf([own])), parameters, servers), [own]);
  assert.deepEqual(requestOf([], both, [own, offered]), {
    model: 'beta',
    messages: [],
    tools: [own, offered],
    seed: 7,
  });
  const short = receiptWith([offered]);
  assert.equal(await toolsOf(short, parameters, servers), undefined, 'the receipt has them itself');
  assert.deepEqual(requestOf([], short, undefined)['tools'], [offered]);
});
