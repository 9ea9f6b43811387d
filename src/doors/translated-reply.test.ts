import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { FrameCutter } from '#dialects/sse';
import type { AnswerTranslator } from '#dialects/translation';
import { HeardReply } from '#harness/heard-reply';
import { Cancellation } from '#vocabulary/cancellation';
import { Refusal } from '#vocabulary/refusal';
import { TranslatedReply } from './translated-reply.ts';

/** Says what it was told, so that one sees what came through. */
function echo(heldBytes = 0): AnswerTranslator {
  return {
    heldBytes,
    begin: () => '<begin>',
    chunk: (chunk) => `<${JSON.stringify(chunk)}>`,
    end: () => '<end>',
    fail: ({ code }) => `<failed ${code}>`,
    whole: (answer) => ('choices' in answer ? { whole: answer } : undefined),
  };
}

function translated(translator: AnswerTranslator, roomBytes = Infinity) {
  const heard = new HeardReply();
  const cancellation = new Cancellation();
  const memory = {
    takeForRequest() {},
    takeForAnswer(bytes: number) {
      if (bytes > roomBytes) throw new Refusal('service_overloaded', 'No room.');
    },
    give() {},
  };
  const reply = new TranslatedReply({ reply: heard, memory, cancellation }, translator, (error) => ({
    refused: error.code,
  }));
  return { heard, reply, cancellation };
}

const eventStream = ['content-type', 'text/event-stream'];

test('where a stream is cut makes no difference', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map((content) => JSON.stringify({ content }))),
      fc.constantFrom('\n', '\r\n'),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (chunks, end, cuts) => {
        const frames = [...chunks.map((chunk) => `data: ${chunk}`), ': comment', 'data: [DONE]'];
        const bytes = Buffer.from(frames.map((frame) => frame + end + end).join(''));
        const { heard, reply } = translated(echo());
        reply.begin(200, eventStream);
        const cutter = new FrameCutter();
        for (let at = 0; at < bytes.length;) {
          const size = cuts.next().value as number;
          const whole = cutter.push(bytes.subarray(at, at + size));
          if (whole !== undefined) reply.write(Buffer.from(whole));
          at += size;
        }
        reply.end();
        const expected = chunks.map((chunk) => `<${chunk}>`).join('');
        assert.equal(heard.text, `<begin>${expected}: comment${end}${end}<end>`);
      },
    ),
  );
});

test('refusals and answers in one piece come in the dialect, with their true length', () => {
  const cases: [number, object, number, object][] = [
    [429, { error: { code: 'queue_full', message: 'Busy.' } }, 429, { refused: 'queue_full' }],
    [200, { choices: ['ü'] }, 200, { whole: { choices: ['ü'] } }],
    [200, { nothing: true }, 502, { refused: 'engine_failed' }],
  ];
  for (const [status, said, told, expected] of cases) {
    const { heard, reply } = translated(echo());
    reply.begin(status, ['content-type', 'application/json', 'content-length', '1', 'retry-after', '7']);
    assert.deepEqual([reply.hasBegun, heard.hasBegun], [true, false]);
    reply.end(Buffer.from(JSON.stringify(said)));
    assert.deepEqual([heard.status, JSON.parse(heard.text)], [told, expected]);
    assert.deepEqual(heard.headers.slice(2), [
      'content-length',
      String(Buffer.byteLength(heard.text)),
      'retry-after',
      '7',
    ]);
  }
});

test('an answer for which there is no room any more is ended, here and at the engine', () => {
  const { heard, reply, cancellation } = translated(echo(100_000), 99_999);
  reply.begin(200, eventStream);
  reply.write('data: {"a":1}\n\n');
  assert.equal(cancellation.reason, 'stopped');
  assert.equal(heard.text, '<begin><{"a":1}><failed service_overloaded>');
});
