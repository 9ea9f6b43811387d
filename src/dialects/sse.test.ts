import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { countFrames, endsWithDone, FrameCutter, forEachFrame, frameData } from './sse.ts';
import { WordFrames } from './word-frames.ts';

const frameTexts = fc.array(
  fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => JSON.stringify({ text })),
  {
    minLength: 1,
    maxLength: 6,
  },
);
const lineEnds = fc.constantFrom('\n', '\r\n');

test('frames cut at any byte come out whole, in order, and nothing else comes out', () => {
  fc.assert(
    fc.property(
      frameTexts,
      lineEnds,
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      fc.string(),
      (texts, end, cuts, rest) => {
        const whole = Buffer.from(texts.map((text) => `data: ${text}${end}${end}`).join(''));
        const unfinished = Buffer.from(`data: ${JSON.stringify(rest)}`);
        const bytes = Buffer.concat([whole, unfinished]);
        const cutter = new FrameCutter();
        const out: Buffer[] = [];
        for (let at = 0; at < bytes.length;) {
          const size = cuts.next().value as number;
          const frames = cutter.push(bytes.subarray(at, at + size));
          if (frames !== undefined) {
            assert.match(frames.toString('latin1').slice(-4), /\n\r?\n$/);
            out.push(Buffer.from(frames));
          }
          at += size;
        }
        assert.deepEqual(Buffer.concat(out), whole);
        assert.equal(cutter.heldBytes, unfinished.length);
        const seen: string[] = [];
        forEachFrame(whole, (frame) => seen.push(frameData(frame) ?? ''));
        assert.deepEqual(seen, texts);
        assert.equal(countFrames(whole), texts.length);
      },
    ),
  );
});

test('a whole read travels on without a copy', () => {
  const bytes = Buffer.from('data: {"a":1}\n\ndata: [DONE]\n\n');
  assert.equal(new FrameCutter().push(bytes), bytes);
  assert.equal(endsWithDone(bytes), true);
  assert.equal(endsWithDone(Buffer.from('data: {"text":"[DONE]"}\n\n')), false);
});

test('data lines are read with and without the blank, comments are not data', () => {
  assert.equal(frameData(Buffer.from('data:{"a":1}\n\n')), '{"a":1}');
  assert.equal(frameData(Buffer.from('event: x\ndata: 1\ndata: 2\n\n')), '1\n2');
  assert.equal(frameData(Buffer.from(': keep-alive\n\n')), undefined);
});

test('a frame is like another one only when nothing but its words differs', () => {
  const chunk = (said: string) =>
    Buffer.from(`data: {"id":"a","choices":[{"index":0,"delta":${said},"finish_reason":null}]}\n\n`);
  const frames = new WordFrames(Buffer.from('"content"'), [Buffer.from('"reasoning"')]);
  const wordsOf = (frame: Buffer) => {
    const end = frames.endOfWords(frame);
    return end < 0 ? undefined : frame.toString('utf8', frames.start, end);
  };
  assert.equal(wordsOf(chunk('{"content":"one"}')), undefined, 'nothing was learnt yet');
  frames.learn(chunk('{"content":"one"}'));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (words) => {
      const text = JSON.stringify(words);
      assert.equal(wordsOf(chunk(`{"content":${text}}`)), text.slice(1, -1));
    }),
  );
  assert.ok(frames.areSaid);
  for (const other of [
    chunk('{"content":"one","tool_calls":[{"index":0}]}'),
    chunk('{"content":"one"},"finish_reason":"stop","more":{"content":"two"}'),
    chunk('{"content":"one\\"}'),
    chunk('{"content":"one\n\ndata: two"}'),
    chunk('{"reasoning":"one"}'),
    Buffer.concat([chunk('{"content":"one"}'), chunk('{"content":"two"}')]),
    Buffer.from(chunk('{"content":"one"}').toString().replace('null', '"stop"')),
  ])
    assert.equal(wordsOf(other), undefined, other.toString());

  frames.learn(chunk('{"content":null,"reasoning":"one"}'));
  assert.equal(wordsOf(chunk('{"content":null,"reasoning":"two"}')), 'two');
  assert.ok(!frames.areSaid);
  for (const hidden of ['{"content":"one","tool_calls": [ {}]}', '{"content":"one"},"b":{"content":"two"}']) {
    frames.learn(chunk(hidden));
    assert.equal(wordsOf(chunk(hidden)), undefined, hidden);
  }
});

test('what the caller is told of a frame is told of those that differ in their words alone', () => {
  const frames = new WordFrames(Buffer.from('"content"'), [Buffer.from('"reasoning"')]);
  const sent = (words: string) =>
    Buffer.from(
      `data: {"model":"theirs","created":1,"choices":[{"delta":{"role":null,"content":${words}}}]}\n\n`,
    );
  const told = (words: string) =>
    Buffer.from(`data: {"model":"of ours","choices":[{"delta":{"content":${words}}}]}\n\n`);
  frames.learn(sent('"one"'), told('"one"'));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (words) => {
      const text = JSON.stringify(words);
      const frame = sent(text);
      const end = frames.endOfWords(frame);
      const answer = frames.tell(frame, end);
      assert.equal(answer.toString(), told(text).toString());
      assert.equal(
        answer.toString('utf8', frames.toldStart, frames.toldStart + end - frames.start),
        text.slice(1, -1),
      );
    }),
  );
  const thought = Buffer.from('data: {"delta":{"reasoning":"one"}}\n\n');
  for (const twice of [
    '{"reasoning":"one","more":{"reasoning":"one"}}',
    '{"reasoning":"one","content":"one"}',
  ]) {
    frames.learn(thought, Buffer.from(`data: {"delta":${twice}}\n\n`));
    assert.equal(frames.endOfWords(thought), -1, twice);
  }
});
