import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { send } from '#harness/http-client';

/** What an engine does with the next large prompts; then it says what it has read again. */
const mood: Record<'one' | 'two', ('break-off' | 'answer-early')[]> = { one: [], two: [] };
const engines = await Promise.all([startEngine('one'), startEngine('two')]);
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: engines.map(({ name, url }) => ({ name, kind: 'vllm', url })),
    models: [{ id: 'reader', engines: ['one', 'two'] }],
  },
});
after(async () => {
  await gateway.stop();
  for (const { server } of engines) {
    server.closeAllConnections();
    server.close();
  }
});
const authorization = `bearer ${(await gateway.createKey()).secret}`;

test('a prompt of a megabyte reaches its engine whole, many at once and one behind another', async () => {
  await Promise.all(
    Array.from({ length: 6 }, async (_, caller) => {
      for (let turn = 0; turn < 4; turn++) assert.equal(await readBack(caller * 10 + turn), 'whole');
    }),
  );
});

test('it reaches the next engine whole when one breaks off while it is being sent', async () => {
  mood.one.push(...Array<'break-off'>(100).fill('break-off'));
  // Which engine gets a prompt is the gateway's choice.
  for (let round = 0; round < 20 && mood.one.length === 100; round++) {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, number) => readBack(100 + number)));
    assert.deepEqual(new Set(answers), new Set(['whole']));
  }
  assert.ok(mood.one.length < 100, 'one has broken off');
  mood.one = [];
});

test('an engine that answers before it has read the prompt harms none of the others', async () => {
  for (const engine of ['one', 'two'] as const) mood[engine].push('answer-early', 'answer-early');
  const answers = await Promise.all(Array.from({ length: 8 }, (_, number) => readBack(200 + number)));
  for (const answer of answers) assert.ok(answer === 'whole' || answer === 'early', answer);
  assert.equal(await readBack(300), 'whole');
});

async function readBack(number: number): Promise<string> {
  const content = `${number} `.repeat(1_000_000 / `${number} `.length);
  const body = { model: 'reader', messages: [{ role: 'user', content }] };
  const answer = await send(`${gateway.url}/api/chat/completions`, { headers: { authorization }, body });
  assert.equal(answer.status, 200, answer.text);
  const { choices } = answer.json as { choices: { message: { content: string } }[] };
  const said = choices[0]?.message.content ?? '';
  return said === hash('sha256', content) ? 'whole' : said;
}

async function startEngine(name: 'one' | 'two') {
  const server = createServer((request, response) => void answer(name, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { name, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function answer(name: 'one' | 'two', request: IncomingMessage, response: ServerResponse) {
  if (request.url !== '/v1/chat/completions') {
    request.resume();
    response.end(JSON.stringify({ object: 'text_completion', choices: [{ index: 0, text: ' word' }] }));
    return;
  }
  const plan = mood[name].shift();
  if (plan === 'answer-early') {
    write(response, 'early');
    return;
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (plan === 'break-off') request.destroy();
    }
  } catch {
    return;
  }
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] };
  write(response, hash('sha256', messages[0]?.content ?? ''));
}

function write(response: ServerResponse, content: string): void {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: 'a', object: 'chat.completion', model: 'reader', choices, usage }));
}
