import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { type Received, send } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { standardPieces } from '#harness/simulated-answer';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

/** Engines that answer in another form than they were asked for, never end, or refuse before they have heard all. */
const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['plain', 'org/renamed'] });
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    limits: { engineSilence: '5s' },
    engines: [{ name: 'one', kind: 'vllm', url: engine.url }],
    models: [
      { id: 'plain', engines: ['one'] },
      { id: 'renamed', engines: [{ engine: 'one', model: 'org/renamed' }] },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await engine.stop();
});
const { secret } = await gateway.createKey();
const text = standardPieces.join('');

const dialects = ['chat/completions', 'responses', 'messages'] as const;
type Dialect = (typeof dialects)[number];

/** Every dialect at both doors, of an engine whose bytes pass as they are and of one whose bytes are rewritten. */
const ways = dialects.flatMap((dialect) =>
  (['plain', 'renamed'] as const).flatMap((model) =>
    (['api', `${model}/v1`] as const).map((door) => ({ dialect, model, door })),
  ),
);

function question(
  { dialect, model, door }: (typeof ways)[number],
  words: string,
  stream: boolean,
): Promise<Received> {
  const asked =
    dialect === 'responses'
      ? { input: words }
      : { messages: ask(words), ...(dialect === 'messages' && { max_tokens: 500 }) };
  return send(`${gateway.url}/${door}/${dialect}`, {
    headers: { authorization: `Bearer ${secret}` },
    body: { model, stream, ...asked },
  });
}

/** What a caller of this dialect reads, who gets what was asked for. */
function saidIn(dialect: Dialect, { text: body, headers }: Received, stream: boolean): string {
  assert.match(String(headers['content-type']), stream ? /^text\/event-stream/ : /^application\/json/);
  const values = stream ? [...body.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data ?? '') : [body];
  const ends = { 'chat/completions': '[DONE]', responses: 'response.completed', messages: 'message_stop' };
  if (stream) assert.equal(body.split(ends[dialect]).length > 1, true, body.slice(-300));
  return values.map((value) => wordIn(dialect, value, stream)).join('');
}

function wordIn(dialect: Dialect, value: string, stream: boolean): string {
  const [sign, field] = fields[dialect];
  if (stream && !value.includes(sign)) return '';
  const name = stream || dialect !== 'responses' ? field : 'text';
  const [, word = '""'] = new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(value) ?? [];
  return JSON.parse(word) as string;
}

/** By what a frame with words is known, and where they stand. */
const fields: Record<Dialect, readonly [string, string]> = {
  'chat/completions': ['"content"', 'content'],
  responses: ['"response.output_text.delta"', 'delta'],
  messages: ['"text_delta"', 'text'],
};

test('callers get the form that they asked for, whatever form the engine chose, and nothing after the end', async () => {
  const marks: string[] = [];
  for (const way of ways)
    for (const [words, stream] of [
      ['sim:as-stream', false],
      ['sim:as-whole', true],
      ['sim:as-stream sim:after-done', false],
      ['sim:after-done', true],
      ['sim:after-done sim:all-at-once', true],
    ] as const) {
      const word = mark();
      marks.push(word);
      const answer = await question(way, `${word} ${words}`, stream);
      assert.equal(
        saidIn(way.dialect, answer, stream),
        text,
        `${JSON.stringify(way)} ${words}: ${answer.text}`,
      );
    }
  await waitUntil('no engine goes on', () =>
    marks.every((word) => engine.marked(word).every(({ state }) => state !== 'active')),
  );
  assert.ok(
    marks.every((word) => engine.marked(word).length === 1),
    'and each was asked once',
  );
  const records = await waitUntil('all are on the books', () => {
    const rows = gateway.usageRecords();
    return rows.length === marks.length ? rows : undefined;
  });
  for (const { ending, input_tokens: input, output_tokens: output } of records)
    assert.ok(ending === 'completed' && input > 0 && output > 0, JSON.stringify({ ending, input, output }));
});

test('comments for ever are no answer: the caller hears so in time, and no word of them is on the books', async () => {
  const before = gateway.usageRecords().length;
  const asked = dialects.flatMap((dialect) =>
    [true, false].map(async (stream) => {
      const way = { dialect, model: 'plain', door: 'api' } as const;
      const words = stream ? 'sim:only-comments' : 'sim:as-stream sim:only-comments';
      return { dialect, answer: await question(way, words, stream) };
    }),
  );
  for (const { dialect, answer } of await Promise.all(asked)) {
    assert.match(String(answer.status), /^50[24]$/, answer.text);
    assert.doesNotMatch(answer.text, /still here/);
    assert.match(
      answer.text,
      dialect === 'messages' ? /^\{"type":"error"/ : /"code":"engine_(?:failed|timeout)"/,
    );
  }
  const records = await waitUntil('all are on the books', () => {
    const rows = gateway.usageRecords().slice(before);
    return rows.length === asked.length ? rows : undefined;
  });
  for (const { ending, output_tokens: output } of records)
    assert.deepEqual([ending, output], ['engine-failed', 0]);
});

test('an engine that refuses before it has heard all is understood, and so is when it wants to be asked again', async () => {
  const long = 'x'.repeat(3_000_000);
  for (const dialect of dialects) {
    const told: unknown[] = [];
    for (const status of [413, 429, 503]) {
      engine.control.early = status;
      const answer = await question({ dialect, model: 'plain', door: 'api' }, long, status === 429);
      told.push([answer.status, answer.headers['retry-after']]);
      const { error } = answer.json as { error: { type: string; code?: string } };
      if (status === 413)
        assert.equal(dialect === 'messages' ? error.type : error.code, 'request_too_large', answer.text);
    }
    engine.control.early = undefined;
    assert.deepEqual(told, [
      [413, undefined],
      [429, '7'],
      [502, '7'],
    ]);
  }
});
