import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { UsageRow } from '#harness/gateway';
import { begin, openStream, send } from '#harness/http-client';
import { ask, mark, startService } from '#harness/service';
import { standardPieces, standardThoughts } from '#harness/simulated-answer';
import { waitUntil } from '#harness/wait-until';

/** Exactly one usage record per request, whatever its ending. */
const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-books-'));
after(() => rm(dataDir, { recursive: true, force: true }));
const options = {
  dataDir,
  settings: {
    directNetworks: ['127.0.0.1/32', { cidr: '127.0.0.2/32', project: 'lab' }],
    limits: { engineSilence: '2s' },
  },
};
let service = await startService(options);
after(() => service[Symbol.asyncDispose]());

const url = () => `${service.direct('beta-4-scout')}/chat/completions`;
const body = (words: string, extra: object = {}) => ({
  model: 'beta-4-scout',
  messages: ask(words),
  ...extra,
});

/** Waits for the record of a request and makes sure that there is one only. */
async function recordOf(requestId: string | undefined): Promise<UsageRow> {
  assert.ok(requestId);
  const rows = await waitUntil('the record is in the books', () => {
    const found = service.gateway.usageRecords().filter((row) => row.request_id === requestId);
    return found.length > 0 && found;
  });
  assert.equal(rows.length, 1);
  return rows[0]!;
}

const idOf = (answer: { headers: Record<string, unknown> }) => answer.headers['x-request-id'] as string;

test('whole and streamed answers: who, what, and the tokens the engine counted', async () => {
  const words = 'one two three sim:cached=2';
  for (const extra of [{}, { stream: true }, { stream: true, stream_options: { include_usage: true } }]) {
    const answer = await send(url(), { body: body(words, extra), from: '127.0.0.2' });
    const row = await recordOf(idOf(answer));
    const { door, caller_kind, project, network, model, engine, endpoint, ending, status } = row;
    assert.deepEqual(
      { door, caller_kind, project, network, model, engine, endpoint, ending, status },
      {
        door: 'direct',
        caller_kind: 'network',
        project: 'lab',
        network: '127.0.0.2/32',
        model: 'beta-4-scout',
        engine: 'engine-a',
        endpoint: 'chat/completions',
        ending: 'completed',
        status: 200,
      },
    );
    assert.equal(row.output_tokens, standardPieces.length);
    assert.equal(row.cached_tokens, 2);
    assert.ok(row.input_tokens > 3);
    assert.equal(row.is_estimated, 0);
  }
  const thinking = await send(`${service.proxy}/chat/completions`, {
    headers: { authorization: `bearer ${service.key}` },
    body: { model: 'gamma-oss-120b', messages: ask('x'), stream: true },
  });
  const row = await recordOf(idOf(thinking));
  assert.deepEqual(
    [row.door, row.caller_kind, row.reasoning_tokens],
    ['proxy', 'key', standardThoughts.length],
  );
  assert.ok(row.key_id);
});

test('the further endpoints are counted too', async () => {
  const calls: [string, object, number][] = [
    ['completions', { prompt: 'once' }, standardPieces.length],
    ['embeddings', { input: 'word' }, 0],
    ['responses', { input: 'hello', stream: true }, standardPieces.length],
    ['messages', { messages: ask('hello'), max_tokens: 100, stream: true }, standardPieces.length],
  ];
  for (const [endpoint, extra, outputTokens] of calls) {
    const answer = await send(`${service.direct('beta-4-scout')}/${endpoint}`, {
      body: { model: 'beta-4-scout', ...extra },
    });
    assert.equal(answer.status, 200, `${endpoint}: ${answer.text}`);
    const row = await recordOf(idOf(answer));
    assert.deepEqual([row.endpoint, row.output_tokens, row.ending], [endpoint, outputTokens, 'completed']);
    assert.ok(row.input_tokens > 0, endpoint);
    assert.doesNotMatch(answer.text, /org\/beta/, "the name the engine knows is nobody else's business");
    if (endpoint === 'responses') assert.match(answer.text, /^event: response\.completed$/m);
    if (endpoint === 'messages') assert.match(answer.text, /^event: message_stop$/m);
  }
});

test('a caller who leaves pays for what was generated until then', async () => {
  const answer = await openStream(url(), { body: body('sim:frames=100000 sim:every=5', { stream: true }) });
  await answer.untilFrames(10);
  answer.leave();
  const row = await recordOf(idOf(answer));
  assert.equal(row.ending, 'caller-left');
  assert.equal(row.is_estimated, 1);
  assert.ok(row.output_tokens >= 5 && row.output_tokens < 100000, `${row.output_tokens} tokens`);
  assert.ok(row.input_tokens > 0);
});

test('a caller who leaves before the answer is in the books as well', async () => {
  const mine = mark();
  const before = service.gateway.usageRecords().length;
  const leaving = new AbortController();
  const gone = begin(url(), { body: body(`${mine} sim:slow=60000`) }, leaving.signal).catch(() => {});
  await waitUntil('the engine has it', () => service.engineA.requestsMarked(mine).length > 0);
  leaving.abort();
  await gone;
  const rows = await waitUntil('one more record', () => {
    const all = service.gateway.usageRecords();
    return all.length > before && all.slice(before);
  });
  assert.deepEqual(
    rows.map((row) => row.ending),
    ['caller-left'],
  );
});

test('engines that fail, refuse or fall silent', async () => {
  const endings: [string, object, string][] = [
    ['sim:die-mid-frame=4', { stream: true }, 'engine-failed'],
    ['sim:error-event', { stream: true }, 'engine-failed'],
    ['sim:status=500', {}, 'engine-failed'],
    ['sim:reset', {}, 'engine-failed'],
    ['sim:hang-after=3', { stream: true }, 'engine-failed'],
    ['sim:status=400', {}, 'refused-by-engine'],
    ['sim:no-done', { stream: true }, 'completed'],
    ['sim:no-usage', { stream: true }, 'completed'],
  ];
  for (const [words, extra, ending] of endings) {
    const answer = await send(url(), { body: body(words, extra) });
    const row = await recordOf(idOf(answer));
    assert.equal(row.ending, ending, words);
    if (words === 'sim:no-usage') assert.equal(row.is_estimated, 1);
    await waitUntil(
      'the engine is in service',
      async () => (await send(url(), { body: body('fine') })).status === 200,
    );
  }
});

test('an engine that dies behind its last word has answered, and what it told is on the books', async () => {
  const ask = (death: string) => openStream(url(), { body: body(`sim:frames=9 ${death}`, { stream: true }) });
  // A role, nine words and the reason to end, and then nothing, or the usage as well.
  for (const death of ['', 'sim:die-after=11', 'sim:die-after-usage']) {
    const answer = await ask(death);
    assert.equal(await answer.ended, 'complete');
    assert.equal(answer.frames().at(-1), '[DONE]');
    assert.ok(answer.chunks().every(({ error }) => error === undefined));
    const { ending, status, output_tokens: output, is_estimated } = await recordOf(idOf(answer));
    assert.deepEqual(
      { ending, status, output, is_estimated },
      { ending: 'completed', status: 200, output: 9, is_estimated: 0 },
      death,
    );
  }
});

test('killed in the middle of a stream, the gateway knows of it after its next start', async () => {
  const answer = await openStream(url(), { body: body('sim:frames=100000 sim:every=5', { stream: true }) });
  await answer.untilFrames(5);
  const finished = await send(url(), { body: body('finished before') });
  await recordOf(idOf(finished));
  const before = service.gateway.usageRecords().length;
  await service.gateway.kill();
  await answer.ended;
  await Promise.all([service.engineA.stop(), service.engineB.stop()]);

  service = await startService(options);
  const row = await recordOf(idOf(answer));
  assert.equal(row.ending, 'interrupted');
  assert.ok(row.input_tokens > 0);
  const all = service.gateway.usageRecords();
  assert.equal(all.length, before + 1);
  assert.equal(new Set(all.map((each) => each.request_id)).size, all.length);
});

test('the command line tells the same story', async () => {
  const { stdout } = await service.gateway.command('usage', '--by', 'project', '--csv');
  assert.match(stdout, /lab/);
  const json = await service.gateway.command('usage', '--by', 'model', '--json');
  assert.match(json.stdout, /beta-4-scout/);
});
