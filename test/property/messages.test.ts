import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '@anthropic-ai/sdk/resources/messages';
import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import fc from 'fast-check';
import type { JsonObject } from '#dialects/json-object';
import { messagesTranslation } from '#dialects/messages/messages';
import { forEachFrame, frameData } from '#dialects/sse';
import type { TranslatedQuestion } from '#dialects/translation';
import { plainModel } from '#harness/plain-model';
import { Refusal } from '#vocabulary/refusal';

const model = plainModel('thinker', [], {
  supportsReasoningEffort: true,
  reasoning: 'separate',
  contextTokens: 8192,
});
const facts = { requestId: '0198-abcd', receivedAt: 0 };
const question = { model: 'thinker', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };

test('what the SDK makes of the events is the message that the whole answer becomes', async () => {
  await fc.assert(
    fc.asyncProperty(spokenAnswers(), fc.constantFrom('enabled', 'disabled'), async (spoken, type) => {
      const asked = read({ ...question, thinking: { type, budget_tokens: 1024 }, stop_sequences: ['END'] });
      const streamed = asked.answer(facts);
      let events = streamed.begin();
      for (const chunk of spoken.chunks) events += streamed.chunk(chunk);
      events += streamed.end();
      lawful(eventsIn(events));
      const final = await accumulated(events);
      const whole = asked.answer(facts).whole(spoken.whole);
      assert.deepEqual(plain(final), plain(whole));
    }),
    { numRuns: 150 },
  );
});

test('an answer that fails tells its error last, in this dialect, and nothing behind it', () => {
  fc.assert(
    fc.property(spokenAnswers(), fc.nat(), (spoken, place) => {
      const translator = read(question).answer(facts);
      let text = translator.begin();
      const at = place % (spoken.chunks.length + 1);
      for (const chunk of spoken.chunks.slice(0, at)) text += translator.chunk(chunk);
      text += translator.fail({
        message: 'Broken.',
        type: 'server_error',
        param: null,
        code: 'engine_failed',
      });
      for (const chunk of spoken.chunks.slice(at)) text += translator.chunk(chunk);
      text += translator.end();
      const events = eventsIn(text);
      assert.deepEqual(events.at(-1), { type: 'error', error: { type: 'api_error', message: 'Broken.' } });
      assert.equal(events.filter(({ type }) => type === 'error' || type === 'message_stop').length, 1);
    }),
  );
});

test('what is said while a call is being written stands whole behind it', async () => {
  const translator = read(question).answer(facts);
  const piece = (fields: JsonObject, content: string): JsonObject => ({
    choices: [{ index: 0, delta: { content, tool_calls: [{ index: 0, ...fields }] }, finish_reason: null }],
  });
  const events = [
    translator.begin(),
    translator.chunk(piece({ id: 'call_0', function: { name: 'look', arguments: '' } }, 'Let me')),
    translator.chunk(piece({ function: { arguments: '{"city":' } }, ' look')),
    translator.chunk(piece({ function: { arguments: '"Bern"}' } }, ' it')),
    translator.chunk(piece({ function: { arguments: '\n' } }, ' up.')),
    translator.end(),
  ].join('');
  lawful(eventsIn(events));
  const { content } = await accumulated(events);
  assert.deepEqual(content, [
    { type: 'text', text: 'Let me', citations: null },
    { type: 'tool_use', id: 'call_0', name: 'look', input: { city: 'Bern' } },
    { type: 'text', text: ' look it up.', citations: null },
  ]);
});

test('what a model said comes back to it word by word in the next turn', () => {
  fc.assert(
    fc.property(spokenAnswers(), (spoken) => {
      const asked = read({ ...question, thinking: { type: 'adaptive' } });
      const whole = asked.answer(facts).whole(spoken.whole);
      const back = read({
        ...question,
        messages: [
          ...question.messages,
          { role: 'assistant', content: whole?.['content'] },
          ...question.messages,
        ],
      });
      const [, said] = back.chat['messages'] as JsonObject[];
      assert.equal(said?.['content'], spoken.text);
      assert.equal(said?.['reasoning_content'] ?? '', spoken.thoughts);
      const calls = (said?.['tool_calls'] ?? []) as {
        id: string;
        function: { name: string; arguments: string };
      }[];
      assert.deepEqual(
        calls.map(({ id, function: { name, arguments: text } }) => ({
          id,
          name,
          input: JSON.parse(text) as unknown,
        })),
        spoken.calls,
      );
    }),
  );
});

test('tools that wait are shown when the conversation brings them in, and no longer when it takes them away', () => {
  const tool = (name: string, extra: object = {}) => ({ name, input_schema: { type: 'object' }, ...extra });
  const later = { defer_loading: true };
  const system = (...content: object[]) => ({ role: 'system', content });
  const reference = (name: string) => ({ type: 'tool_reference', name });
  const conversation = [
    { role: 'user', content: 'Hello' },
    system({ type: 'tool_addition', tool: { type: 'tool_definition', definition: tool('fourth') } }),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'first', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_0',
          content: [{ type: 'tool_reference', tool_name: 'second' }],
        },
      ],
    },
    system({ type: 'text', text: 'Be quick.' }, { type: 'tool_removal', tool: reference('first') }),
    { ...system({ type: 'text', text: 'Seen once.' }), clear_at: 'next_user_message' },
    { role: 'user', content: 'And now?' },
  ];
  const { chat } = read({
    ...question,
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cch=1234' },
      { type: 'text', text: 'Be kind.' },
    ],
    tools: [tool('first'), tool('second', later), tool('third', later)],
    messages: conversation,
  });
  const names = (chat['tools'] as { function: { name: string } }[]).map(({ function: { name } }) => name);
  assert.deepEqual(names, ['second', 'fourth']);
  assert.deepEqual(chat['messages'], [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'first', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_0', content: 'The tool "second" can be called now.' },
    { role: 'user', content: '<system-reminder>\nBe quick.\n</system-reminder>\nAnd now?' },
  ]);
});

test('thinking is asked of each model in the way it knows', () => {
  const inline = { ...model, supportsReasoningEffort: false };
  const silent = { ...inline, reasoning: 'none' as const };
  const asked = (thinking: object, whom = model, extra: object = {}) => {
    const { chat, ignored } = messagesTranslation.read({ ...question, ...extra, thinking }, whom);
    return [chat['reasoning_effort'], chat['chat_template_kwargs'], ignored];
  };
  const budget = (tokens: number) => ({ type: 'enabled', budget_tokens: tokens });
  const high = { output_config: { effort: 'max' } };
  assert.deepEqual(asked(budget(1024)), ['low', undefined, []]);
  assert.deepEqual(asked(budget(10_000)), ['medium', undefined, []]);
  assert.deepEqual(asked(budget(31_999)), ['high', undefined, []]);
  assert.deepEqual(asked({ type: 'adaptive' }), [undefined, undefined, []]);
  assert.deepEqual(asked({ type: 'adaptive' }, model, high), ['high', undefined, []]);
  assert.deepEqual(asked({ type: 'disabled' }), ['low', undefined, []]);
  assert.deepEqual(asked(budget(1024), inline), [undefined, undefined, ['thinking.budget_tokens']]);
  assert.deepEqual(asked({ type: 'adaptive' }, inline, high), [
    undefined,
    undefined,
    ['output_config.effort'],
  ]);
  const given = { chat_template_kwargs: { thinking_budget: 5 } };
  const both = { enable_thinking: false, thinking_budget: 5 };
  assert.deepEqual(asked({ type: 'disabled' }, inline, given), [undefined, both, []]);
  assert.deepEqual(asked({ type: 'disabled' }, silent), [undefined, undefined, []]);
});

test('a long conversation and a long call take time in proportion', () => {
  const many = Array.from({ length: 100_000 }, () => ({ role: 'user', content: 'x' }));
  assert.equal((read({ ...question, messages: many }).chat['messages'] as unknown[]).length, 1);
  const translator = read(question).answer(facts);
  const piece = (fields: object) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...fields }] } }],
  });
  translator.chunk(piece({ id: 'call_0', function: { name: 'write', arguments: '{"rows":[' } }));
  let bytes = 0;
  for (let row = 0; row < 100_000; row++)
    bytes += translator.chunk(piece({ function: { arguments: '{"a":"}"},' } })).length;
  assert.ok(bytes > 100_000 * 10);
});

test('whatever a body holds, it is understood or refused, never a crash', () => {
  const anything = fc.jsonValue({ maxDepth: 4 });
  const blocks = fc.array(
    fc.oneof({ arbitrary: likelyBlocks(anything), weight: 9 }, { arbitrary: anything, weight: 1 }),
    { maxLength: 3 },
  );
  const rarely = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
    fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: anything, weight: 1 });
  const messages = fc.record({
    role: fc.constantFrom('user', 'assistant'),
    content: rarely(fc.oneof(fc.string(), blocks)),
  });
  const bodies = fc.record({
    model: fc.constant('thinker'),
    max_tokens: rarely(fc.constant(100)),
    system: rarely(fc.string()),
    messages: rarely(fc.array(messages, { minLength: 1, maxLength: 3 })),
    tools: rarely(
      fc.constantFrom(null, [], [{ name: 'look', input_schema: {} }], [{ type: 'bash_20250124' }]),
    ),
    tool_choice: rarely(fc.constantFrom(null, { type: 'any' }, { type: 'tool', name: 'look' })),
    thinking: rarely(fc.constantFrom(null, { type: 'adaptive' }, { type: 'enabled', budget_tokens: 5000 })),
    output_config: rarely(fc.constantFrom(null, { effort: 'max' })),
    stop_sequences: rarely(fc.constantFrom(null, ['END'])),
    metadata: anything,
  });
  let understood = 0;
  fc.assert(
    fc.property(bodies, (body) => {
      try {
        const { chat } = read(body);
        understood++;
        assert.ok(Array.isArray(chat['messages']) && chat['messages'].length > 0);
        assert.doesNotMatch(JSON.stringify(chat), /"url":"(?!data:)/);
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown;
        assert.equal(thrown.status, 400);
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(understood > 20, `only ${understood} bodies were understood`);
});

function read(body: JsonObject): TranslatedQuestion {
  return messagesTranslation.read(body, model);
}

interface SpokenAnswer {
  readonly chunks: readonly JsonObject[];
  readonly whole: JsonObject;
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
}

/** A chat completion, whole and as a stream: thinking, text, calls whose pieces come in any order, the end. */
function spokenAnswers(): fc.Arbitrary<SpokenAnswer> {
  const words = fc.array(fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }), { maxLength: 4 });
  const inputs = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  return fc
    .record({
      thoughts: words,
      texts: words,
      inputs: fc.array(inputs, { maxLength: 3 }),
      cuts: fc.infiniteStream(fc.nat(7)),
      order: fc.infiniteStream(fc.nat(7)),
      isInterleaved: fc.boolean(),
      end: fc.constantFrom('stop', 'length', 'content_filter'),
      stop: fc.constantFrom(null, 'END', 'other', 151_645),
      cached: fc.nat(10),
    })
    .map(({ thoughts, texts, inputs: given, cuts, order, isInterleaved, end, stop, cached }) => {
      const calls = given.map((input, index) => ({
        id: `call_${index}`,
        name: `tool_${index}`,
        input: revived(input),
      }));
      const pieces = calls.map(({ id, name, input }, index) => {
        const rest = piecesOf(JSON.stringify(input), cuts).map((fragment) => ({
          index,
          function: { arguments: fragment },
        }));
        return [{ index, id, type: 'function', function: { name, arguments: '' } }, ...rest];
      });
      const finish = calls.length > 0 && end === 'stop' ? 'tool_calls' : end;
      const usage = {
        prompt_tokens: 10 + cached,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: cached },
      };
      const deltas: JsonObject[] = [
        { role: 'assistant', content: '' },
        ...thoughts.map((thought) => ({ reasoning: thought, reasoning_content: thought })),
        ...texts.map((content) => ({ content })),
        ...(isInterleaved ? interleaved(pieces, order) : pieces.flat()).map((call) => ({
          tool_calls: [call],
        })),
      ];
      const last = { finish_reason: finish, stop_reason: stop };
      return {
        chunks: [
          ...deltas.map((delta) => ({
            model: 'thinker',
            choices: [{ index: 0, delta, finish_reason: null }],
          })),
          { model: 'thinker', choices: [{ index: 0, delta: {}, ...last }] },
          { model: 'thinker', choices: [], usage },
        ],
        whole: {
          model: 'thinker',
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: texts.join('') || null,
                reasoning_content: thoughts.join(''),
                tool_calls: calls.map(({ id, name, input }) => ({
                  id,
                  type: 'function',
                  function: { name, arguments: JSON.stringify(input) },
                })),
              },
              ...last,
            },
          ],
          usage,
        },
        text: texts.join(''),
        thoughts: thoughts.join(''),
        calls,
      };
    });
}

function piecesOf(text: string, cuts: fc.Stream<number>): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + (cuts.next().value ?? 0);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** Pieces of all calls in any order, but the calls begin one after the other. */
function interleaved<T>(lists: readonly (readonly T[])[], order: fc.Stream<number>): T[] {
  const left = lists.map((list) => [...list]);
  const all: T[] = [];
  for (;;) {
    const open = left.filter(
      (list, index) => list.length > 0 && (index === 0 || isBegun(left[index - 1], lists[index - 1])),
    );
    const next = open[(order.next().value ?? 0) % Math.max(1, open.length)]?.shift();
    if (next === undefined) return all;
    all.push(next);
  }
}

function isBegun(left: readonly unknown[] | undefined, all: readonly unknown[] | undefined): boolean {
  return left?.length !== all?.length;
}

function likelyBlocks(anything: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.oneof(fc.string(), anything) }),
    fc.record({ type: fc.constant('tool_use'), id: fc.string(), name: fc.string(), input: anything }),
    fc.record({
      type: fc.constant('tool_result'),
      tool_use_id: fc.string(),
      content: anything,
      is_error: anything,
    }),
    fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() }),
    fc.record({
      type: fc.constantFrom('image', 'document'),
      source: fc.oneof(
        anything,
        fc.record({ type: fc.constant('url'), url: fc.webUrl() }),
        fc.record({
          type: fc.constant('base64'),
          media_type: fc.constantFrom('image/png', 'text/html'),
          data: fc.oneof(fc.base64String(), fc.webUrl()),
        }),
      ),
    }),
  );
}

function eventsIn(text: string): (JsonObject & { readonly type: string })[] {
  const events: (JsonObject & { readonly type: string })[] = [];
  forEachFrame(Buffer.from(text), (frame) => {
    const event = JSON.parse(frameData(frame) ?? '') as JsonObject & { type: string };
    assert.equal(/^event: (\w+)$/m.exec(frame.toString())?.[1], event.type);
    events.push(event);
  });
  return events;
}

/** One block at a time, numbered from nought, between one beginning and one end. */
function lawful(events: readonly (JsonObject & { readonly type: string })[]): void {
  const names = events.map(({ type }) => type).filter((type) => type !== 'ping');
  assert.match(
    names.join(' '),
    /^message_start(?: content_block_start(?: content_block_delta)* content_block_stop)* message_delta message_stop$/,
  );
  let index = -1;
  for (const event of events) {
    if (event.type === 'content_block_start') index++;
    if (event.type.startsWith('content_block')) assert.equal(event['index'], index);
  }
}

async function accumulated(events: string): Promise<Message> {
  const lines = eventsIn(events).map((event) => `${JSON.stringify(event)}\n`);
  return await MessageStream.fromReadableStream(
    new Response(lines.join('')).body as ReadableStream,
  ).finalMessage();
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    key === 'parsed_output' || key === 'stop_details' ? undefined : inner,
  );
}

function revived(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
