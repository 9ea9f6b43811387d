import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRow } from '#harness/gateway';
import { send } from '#harness/http-client';
import { mark } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { answersAtOnce, ask, type EngineStage } from '../stage.ts';

const patienceMs = 60_000;

/** What the engine counts itself, beside the books: this is what reconciliation compares. */
export function proveCounters({ engine, gateway, doors }: EngineStage): void {
  const [door] = doors;
  const { countsCached, countsOfPromptForTwo } = engine.abilities;

  /** How much both sides counted for these requests alone. */
  const countBoth = async (bodies: readonly object[]) => {
    await waitUntil('the engine is idle', async () => (await engine.readRunning()) === 0, patienceMs);
    const before = { read: await engine.readRead(), written: await engine.readWritten() };
    const since = Date.now();
    for (const body of bodies) {
      const { status, text } = await door!.post('plain', body);
      assert.equal(status, 200, text);
    }
    const ours = () => gateway.usageRecords().filter(({ started_at: at }) => at >= since);
    await waitUntil('all are in the books', () => ours().length >= bodies.length);
    const sum = (of: (row: UsageRow) => number) => ours().reduce((total, row) => total + of(row), 0);
    return {
      read: sum((row) => row.input_tokens - (countsCached ? 0 : row.cached_tokens)),
      written: sum((row) => row.output_tokens),
      counted: async () => ({
        read: (await engine.readRead()) - before.read,
        written: (await engine.readWritten()) - before.written,
      }),
    };
  };
  const asked = { max_tokens: 6, ignore_eos: true, ...answersAtOnce };

  test(`${engine.kind}: what the engine counts is what the books say, tokens from its cache as the table says`, async () => {
    const messages = ask(`Tell me about ${mark()} and the sea`);
    const { read, written, counted } = await countBoth([1, 2, 3].map(() => ({ ...asked, messages })));
    await waitUntil(`the engine has counted ${read} and ${written}`, async () => {
      const theirs = await counted();
      return theirs.read === read && theirs.written === written;
    });
  });

  test(`${engine.kind}: the prompt of several choices is counted as the documents say`, async () => {
    const messages = ask(`Tell me about ${mark()} and the hills`);
    const { read, written, counted } = await countBoth([{ ...asked, messages, temperature: 1, n: 2 }]);
    assert.equal(written, 12);
    await waitUntil('the engine has counted it', async () => {
      const theirs = await counted();
      return theirs.written === written && theirs.read === read * countsOfPromptForTwo;
    });
  });

  test(`${engine.kind}: the gateway finds the counters`, async () => {
    await waitUntil(
      'the difference is in the metrics',
      async () => {
        const { text } = await send(gateway.metricsUrl);
        return /^gatehouse_engine_token_drift_ratio\{[^}]*engine="real"[^}]*\} [-\d.]+$/m.test(text);
      },
      patienceMs,
    );
  });
}
