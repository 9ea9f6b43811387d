import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRecord } from '#vocabulary/usage';
import { allMetrics } from './metric-table.ts';
import { createLogger, createMetrics } from './telemetry.ts';

const record: UsageRecord = {
  requestId: 'r1',
  startedAt: 0,
  door: 'proxy',
  caller: { kind: 'key', keyId: 'k1', personId: 'p1' },
  address: '127.0.0.1',
  endpoint: 'chat/completions',
  model: 'alpha-R1',
  requestBytes: 10,
  project: 'everyone',
  engine: 'pocket',
  ending: 'completed',
  status: 200,
  usage: { inputTokens: 7, outputTokens: 5, cachedTokens: 2, reasoningTokens: 1, isEstimated: false },
  waitMs: 0,
  firstByteMs: 40,
  durationMs: 300,
  cost: 0,
};

test('a finished request shows up in every metric that concerns it, in valid text form', async () => {
  const metrics = createMetrics({ version: '1.2.3', isKnownModel: (model) => model === 'alpha-R1' });
  metrics.requestFinished(record, 0.3);
  metrics.requestFinished({ ...record, ending: 'engine-failed', status: 502, firstByteMs: undefined }, 0.4);
  metrics.requestRefused('proxy', 'invalid_api_key');
  metrics.observe('engineEjections', () => [{ of: 'pocket', value: 2 }]);
  metrics.observe('journalLagRecords', () => [{ value: 4 }]);
  metrics.observe('requestsWaiting', () => [{ of: 'alpha-R1', value: 3 }]);
  metrics.observe('engineHealthy', () => {
    throw new Error('the source is gone');
  });
  await metrics.text();
  const text = await metrics.text();
  for (const line of [
    'gatehouse_requests_total{door="proxy",model="alpha-R1",ending="completed",status="2xx"} 1',
    'gatehouse_requests_total{door="proxy",model="alpha-R1",ending="engine-failed",status="5xx"} 1',
    'gatehouse_tokens_total{model="alpha-R1",kind="input"} 14',
    'gatehouse_tokens_total{model="alpha-R1",kind="reasoning"} 2',
    'gatehouse_request_seconds_bucket{le="0.25",door="proxy",model="alpha-R1"} 0',
    'gatehouse_request_seconds_bucket{le="0.5",door="proxy",model="alpha-R1"} 2',
    'gatehouse_request_seconds_bucket{le="+Inf",door="proxy",model="alpha-R1"} 2',
    'gatehouse_request_seconds_sum{door="proxy",model="alpha-R1"} 0.6',
    'gatehouse_first_byte_seconds_count{door="proxy",model="alpha-R1"} 1',
    'gatehouse_overhead_seconds_count{door="proxy"} 2',
    'gatehouse_refusals_total{door="proxy",code="invalid_api_key"} 1',
    '# TYPE gatehouse_engine_ejections_total counter',
    'gatehouse_engine_ejections_total{engine="pocket"} 2',
    'gatehouse_journal_lag_records 4',
    'gatehouse_requests_waiting{model="alpha-R1"} 3',
    `gatehouse_build_info{version="1.2.3",node="${process.version}"} 1`,
  ]) {
    assert.ok(text.split('\n').includes(line), `${line}\nis not in\n${text}`);
  }
  assert.match(text, /^process_cpu_seconds_total/m);
  const sample = /^[a-z_][a-z_\d]*(\{([a-z]+="(\\.|[^"\\\n])*",?)*\})? [-+\d.eInfNa]+$/i;
  for (const line of text.split('\n'))
    assert.ok(line === '' || line.startsWith('# ') || sample.test(line), line);
  const announced = new Set([...text.matchAll(/^# TYPE (gatehouse_\w+)/gm)].map(([, name]) => name));
  assert.deepEqual(announced, new Set(allMetrics.map(({ name }) => name)));
});

test('models that the settings do not name cannot grow the metrics', async () => {
  const metrics = createMetrics({ version: '0', isKnownModel: (model) => model === 'alpha-R1' });
  for (let index = 0; index < 500; index++)
    metrics.requestFinished({ ...record, model: `made-up-${index}` }, 0);
  const text = await metrics.text();
  assert.doesNotMatch(text, /made-up/);
  assert.match(text, /gatehouse_requests_total\{door="proxy",model="other",.*\} 500\n/);
});

test('secrets do not reach the log, wherever they hide', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  for (const format of ['json', 'pretty'] as const) {
    const { log } = createLogger({ level: 'info', format, destination });
    const secret = 'gh_abcdefghijklmnop';
    log.info(
      {
        authorization: `Bearer ${secret}`,
        headers: { cookie: 's=open-"sesame', 'set-cookie': ['open-sesame'] },
      },
      `asked with ${secret}`,
    );
    log.child({ credential: 'open-sesame' }).warn({ requestId: 'r1' }, 'child');
    log.error({ error: new Error('upstream said: bearer open-sesame is wrong') }, 'failed');
    log.debug({}, 'never written');
  }
  const all = lines.join('');
  assert.doesNotMatch(all, /abcdefghijkl|open-|sesame|never written/);
  assert.equal(lines.length, 6);
  assert.deepEqual(Object.keys(JSON.parse(lines[1] ?? '') as object), [
    'level',
    'time',
    'credential',
    'requestId',
    'message',
  ]);
  assert.match(lines[5] ?? '', /failed\n +Error: upstream said/);
});

test('a log line is one line of JSON whatever it is given, and an error says what caused it', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const { log } = createLogger({ level: 'warn', format: 'json', destination });
  const circle: Record<string, unknown> = { requestId: 'r1' };
  circle['self'] = circle;
  const deepest = new Error('the disk is gone');
  deepest.cause = deepest;
  const failed = Object.assign(
    new Error('it failed', { cause: new TypeError('wrong', { cause: deepest }) }),
    {
      code: 'ENOENT',
    },
  );
  log.info({}, 'too quiet');
  log.warn({}, 'with "quotes"\nand lines');
  log.error({ error: failed, nothing: undefined }, 'an error');
  log.error({ error: 'only text', cause: deepest }, 'another');
  log.warn({ ...circle, size: 1n }, 'not JSON');
  log.warn({ trap: { toJSON: () => assert.fail('never') } }, 'a trap');
  const read = lines.map((line) => {
    assert.equal(line.indexOf('\n'), line.length - 1);
    return JSON.parse(line) as Record<string, unknown> & { error?: Record<string, unknown> };
  });
  assert.deepEqual(
    read.map(({ message }) => message),
    ['with "quotes"\nand lines', 'an error', 'another', 'not JSON', 'a trap'],
  );
  assert.match(String(read[0]?.['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { type, message, code, stack } = read[1]?.error ?? {};
  assert.deepEqual({ type, message, code }, { type: 'Error', message: 'it failed', code: 'ENOENT' });
  assert.match(
    String(stack),
    /Error: it failed\n[^]*caused by: TypeError: wrong\n[^]*caused by: Error: the disk/,
  );
  assert.equal(read[2]?.error, 'only text');
  assert.match(String(read[3]?.['self']), /Circular/);
  assert.equal(read[3]?.['size'], '1n');
});
