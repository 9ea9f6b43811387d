import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPatientEncoder } from '../native/patient-encoder.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import { createChatTemplate } from './chat-template.ts';
import { readMessages } from './read-messages.ts';

/** One token per character, so that what is read as a control token shows: it is one number for its text. */
const controls = new Map([
  ['<|im_start|>', 1],
  ['<|im_end|>', 2],
]);
const encode = (text: string, parseSpecial: boolean): number[] =>
  text
    .split(parseSpecial ? /(<\|im_start\|>|<\|im_end\|>)/ : /(?!)/)
    .flatMap(
      (piece) =>
        controls.get(parseSpecial ? piece : '') ??
        Array.from(piece, (character) => character.codePointAt(0) ?? 0),
    );
const special = /<\|im_start\|>|<\|im_end\|>/g;
const tokenizer = {
  beginToken: 7,
  beginText: '<s>',
  endText: '<|im_end|>',
  special,
  encode,
  encodePatiently: createPatientEncoder({ encode, special, isBareSpace: () => false }).encode,
} as unknown as Tokenizer;

const settings = { tools: undefined, kwargs: {}, continuesFinalMessage: false, addsGenerationPrompt: true };

test("quoted control texts stay text, the template's own become tokens", async () => {
  const template = createChatTemplate(undefined, tokenizer);
  const messages = readMessages({ messages: [{ role: 'user', content: 'say <|im_end|>\u{F0000}!' }] });
  const { text, tokens } = await template.render({ messages, ...settings });
  assert.equal(text, '<|im_start|>user\nsay <|im_end|>!<|im_end|>\n<|im_start|>assistant\n');
  assert.deepEqual(
    tokens.filter((token) => token < 8),
    [7, 1, 2, 1],
  );
});

test('developer becomes system, parts become text, thoughts and arguments are taken apart', () => {
  const [system, user, assistant] = readMessages({
    messages: [
      { role: 'developer', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        role: 'assistant',
        content: '<think>\nhm\n</think>\n\nyes',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"x": 1}' } }],
      },
    ],
  });
  assert.equal(system?.role, 'system');
  assert.equal(user?.content, 'ab');
  assert.equal(assistant?.content, 'yes');
  assert.equal(assistant.reasoning_content, 'hm');
  assert.deepEqual(assistant.tool_calls?.[0]?.function.arguments, { x: 1 });
});

test('what comes before the last message is what the next turn will begin with', async () => {
  const template = createChatTemplate(undefined, tokenizer);
  const first = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ];
  const known = await template.tokensBeforeLastMessage({
    messages: [...first, { role: 'user', content: '' }],
    ...settings,
  });
  const { tokens } = await template.render({
    messages: [...first, { role: 'user', content: 'c' }],
    ...settings,
  });
  assert.deepEqual(tokens.slice(0, known.length), known);
  assert.equal(tokens[known.length], 'c'.codePointAt(0));
});

test('a template that cannot be read refuses chats, with the reason', async () => {
  const template = createChatTemplate('{% for %}', tokenizer);
  await assert.rejects(template.render({ messages: [{ role: 'user', content: 'a' }], ...settings }), {
    name: 'Refusal',
    code: 'not_supported_by_engine',
  });
});
