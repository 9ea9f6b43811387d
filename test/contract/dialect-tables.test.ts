import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { send } from '#harness/http-client';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { rowsOfMessages } from './dialect-rows/messages.ts';
import type { Probe, ProbesOfRows } from './dialect-rows/probe.ts';
import { rowsOfResponses } from './dialect-rows/responses.ts';

/** `docs/dialects.md` says what becomes of every parameter; each row is asked about at the running program. */
const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/plain', 'org/effort'] });
const common = { tools: true, vision: true, reasoning: 'separate' };
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: [{ name: 'vllm', kind: 'vllm', url: engine.url }],
    models: [
      {
        id: 'Plain',
        path: 'plain',
        engines: [{ engine: 'vllm', model: 'org/plain' }],
        ...common,
        context: 4096,
      },
      {
        id: 'Effort',
        path: 'effort',
        engines: [{ engine: 'vllm', model: 'org/effort' }],
        ...common,
        reasoningEffort: true,
      },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await engine.stop();
});

const page = readFileSync(new URL('../../docs/dialects.md', import.meta.url), 'utf8');
const dialects = {
  Responses: { address: 'responses', rows: rowsOfResponses, plain: { input: 'hello' } },
  Messages: {
    address: 'messages',
    rows: rowsOfMessages,
    plain: { max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] },
  },
} satisfies Record<string, { address: string; rows: ProbesOfRows; plain: object }>;

for (const [heading, { address, rows, plain }] of Object.entries(dialects)) {
  test(`${heading}: every row of the table is asked about, and nothing else`, () => {
    assert.deepEqual(firstCells(heading), Object.keys(rows));
  });

  for (const [row, probes] of Object.entries<readonly Probe[]>(rows))
    test(`${heading}: ${row}`, async () => {
      for (const probe of probes) await prove(address, plain, probe);
    });
}

async function prove(address: string, plain: object, probe: Probe): Promise<void> {
  const model = probe.knowsEffort === true ? 'Effort' : 'Plain';
  const url = `${gateway.url}/${model.toLowerCase()}/v1/${address}`;
  const kept = probe.goesOn && (await send(url, { body: { model, ...plain, store: true } })).json['id'];
  const before = engine.generations.length;
  const answer = await send(url, {
    body: { model, ...plain, ...probe.asks, ...(kept !== undefined && { previous_response_id: kept }) },
  });
  const asked = JSON.stringify(probe.asks).slice(0, 200);
  if (probe.refused !== undefined) {
    assert.equal(answer.status, 400, `${asked}: ${answer.text}`);
    assert.match(answer.text, probe.refused, asked);
    assert.equal(engine.generations.length, before, 'an engine was asked');
    return;
  }
  assert.equal(answer.status, 200, `${asked}: ${answer.text}`);
  assert.equal(answer.headers['gatehouse-ignored'] ?? '', probe.ignored ?? '', asked);
  if (probe.answers !== undefined) assert.partialDeepStrictEqual(answer.json, probe.answers);
  // What is written in the background begins after its answer.
  await waitUntil('the engine is asked', () => engine.generations.length > before);
  const chat = engine.generations.at(-1)?.request ?? {};
  if (probe.reaches !== undefined) assert.partialDeepStrictEqual(chat, probe.reaches);
  for (const name of probe.lacks ?? []) assert.ok(!(name in chat), `${name} reached the engine`);
}

function firstCells(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((line) => (line.split('|')[1] ?? '').trim());
}
