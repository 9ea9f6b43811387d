import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ResponseStream } from 'openai/lib/responses/ResponseStream';
import type { JsonObject } from '#dialects/json-object';
import { responsesTranslation } from '#dialects/responses/responses';
import { forEachFrame, frameData } from '#dialects/sse';
import type { AnswerTranslator } from '#dialects/translation';
import { plainModel } from '#harness/plain-model';
import { faultsOfResponseEvents } from '#harness/response-events';
import { Refusal } from '#vocabulary/refusal';

const model = plainModel('thinker', [], {
  supportsVision: true,
  supportsReasoningEffort: true,
  reasoning: 'separate',
  contextTokens: 8192,
});
const tools = [
  { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } },
  { type: 'custom', name: 'patch' },
  { type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find', parameters: {} }] },
];

test('what the SDK makes of the events is the last response, and what the whole answer becomes', async () => {
  await fc.assert(
    fc.asyncProperty(spokenAnswers, async ({ chunks, whole }) => {
      const frames = streamed(translator(), chunks);
      assert.deepEqual(faultsOfResponseEvents(frames, true), []);
      const events = eventsIn(frames);
      const last = events.at(-1)?.response as JsonObject;
      assert.deepEqual(told((await accumulated(events)).output), told(last.output));
      const answer = translator().whole(whole);
      assert.deepEqual(
        [answer?.output, answer?.usage, answer?.status],
        [last.output, last.usage, last.status],
      );
    }),
    { numRuns: 150 },
  );
});

test('an answer that fails keeps what was said, tells the error last, and nothing behind it', () => {
  fc.assert(
    fc.property(spokenAnswers, fc.nat(), ({ chunks }, place) => {
      const writer = translator();
      const at = place % (chunks.length + 1);
      let frames = writer.begin();
      for (const chunk of chunks.slice(0, at)) frames += writer.chunk(chunk);
      frames += writer.fail({ message: 'Broken.', type: 'server_error', param: null, code: 'engine_failed' });
      for (const chunk of chunks.slice(at)) frames += writer.chunk(chunk);
      frames += writer.end();
      assert.deepEqual(faultsOfResponseEvents(frames, true), []);
      const { response } = eventsIn(frames).at(-1) as { response: JsonObject };
      assert.deepEqual(
        [response.status, response.error],
        ['failed', { code: 'server_error', message: 'Broken.' }],
      );
    }),
  );
});

test('whatever is asked becomes a chat or is refused', () => {
  const strange = fc.jsonValue({ maxDepth: 3 });
  const mostly = (usual: fc.Arbitrary<unknown>) =>
    fc.oneof({ arbitrary: usual, weight: 30 }, { arbitrary: strange, weight: 1 });
  const part = fc.record(
    {
      type: fc.constantFrom('input_text', 'input_image', 'output_text', 'refusal', 'text', 'input_file'),
      text: mostly(fc.string()),
      refusal: mostly(fc.string()),
      image_url: mostly(fc.constant('data:image/png;base64,AA')),
    },
    { requiredKeys: ['type'] },
  );
  const item = fc.record(
    {
      type: fc.constantFrom(
        'message',
        'function_call',
        'function_call_output',
        'reasoning',
        'custom_tool_call',
      ),
      role: mostly(fc.constantFrom('user', 'assistant', 'system', 'developer')),
      content: mostly(fc.oneof(fc.string(), fc.array(part))),
      call_id: mostly(fc.string()),
      name: mostly(fc.string()),
      arguments: mostly(fc.string()),
      input: mostly(fc.string()),
      output: mostly(fc.oneof(fc.string(), fc.array(part))),
      summary: mostly(fc.constant([])),
    },
    { requiredKeys: [] },
  );
  const question = fc.record(
    {
      input: mostly(fc.oneof(fc.string(), fc.array(item))),
      instructions: mostly(fc.string()),
      tools: mostly(fc.constant(tools)),
      tool_choice: mostly(fc.constantFrom('auto', 'none', 'required')),
      text: mostly(fc.constant(null)),
      reasoning: mostly(fc.constant(null)),
      include: mostly(fc.constant(null)),
      truncation: mostly(fc.constantFrom('auto', 'disabled')),
      anything: mostly(fc.constant(null)),
    },
    { requiredKeys: ['input'] },
  );
  let translated = 0;
  fc.assert(
    fc.property(question, (body) => {
      try {
        const { chat, ignored } = responsesTranslation.read(body, model);
        assert.ok(Array.isArray(chat.messages) && chat.messages.length > 0);
        for (const name of ignored) assert.match(name, /^[\w.-]+$/);
        translated++;
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown;
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(translated > 50, `only ${translated} questions were understood`);
});

function translator(): AnswerTranslator {
  const body = { model: 'thinker', input: 'Hello', tools };
  return responsesTranslation.read(body, model).answer({ requestId: '0198-abcd', receivedAt: 1.7e12 });
}

function streamed(writer: AnswerTranslator, chunks: readonly JsonObject[]): string {
  return writer.begin() + chunks.map((chunk) => writer.chunk(chunk)).join('') + writer.end();
}

function eventsIn(frames: string): JsonObject[] {
  const events: JsonObject[] = [];
  forEachFrame(Buffer.from(frames), (frame) => events.push(JSON.parse(frameData(frame) ?? '') as JsonObject));
  return events;
}

async function accumulated(events: readonly JsonObject[]): Promise<{ readonly output: unknown }> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  return await ResponseStream.fromReadableStream(new Blob([lines]).stream()).finalResponse();
}

/** Without what the SDK adds for those who parse. */
function told(output: unknown): unknown {
  return JSON.parse(
    JSON.stringify(output, (key, value: unknown) => (key.startsWith('parsed') ? undefined : value)),
  ) as unknown;
}

/** Thoughts, words and calls in this order, in pieces, and the same as one message. */
const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 4 });
const calls = fc.array(
  fc.record({ name: fc.constantFrom('look', 'patch', 'crm__find', 'unheard'), arguments: pieces }),
  { maxLength: 3 },
);
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const spokenAnswers = fc
  .record({ thoughts: pieces, words: pieces, calls, end: fc.constantFrom('stop', 'length', 'tool_calls') })
  .map(({ thoughts, words, calls: called, end }) => {
    const piece = (delta: JsonObject, finish: string | null = null): JsonObject => ({
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const fragments = called.flatMap(({ name, arguments: parts }, index) => [
      piece({ tool_calls: [{ index, id: `call_${index}`, function: { name, arguments: '' } }] }),
      ...parts.map((part) => piece({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]);
    return {
      chunks: [
        piece({ role: 'assistant', content: '' }),
        ...thoughts.map((reasoning) => piece({ reasoning, reasoning_content: reasoning })),
        ...words.map((content) => piece({ content })),
        ...fragments,
        piece({}, end),
        { choices: [], usage },
      ],
      whole: {
        choices: [
          {
            message: {
              role: 'assistant',
              reasoning_content: thoughts.join(''),
              content: words.join(''),
              tool_calls: called.map(({ name, arguments: parts }, index) => ({
                id: `call_${index}`,
                function: { name, arguments: parts.join('') },
              })),
            },
            finish_reason: end,
          },
        ],
        usage,
      },
    };
  });
