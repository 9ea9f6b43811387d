/**
 * A vLLM as far as the gateway sees one, for what dies at random: a process of its own that can be killed at any moment.
 * Whatever it begins and ends is in its book (a file) before anybody hears of it.
 * `node test/scale/chaos-engine.ts PORT BOOK`
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

interface Question {
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly continue_final_message?: boolean;
}

const [port = '0', book = ''] = process.argv.slice(2);
const frameEveryMs = 200;
const promptTokens = 7;

createServer((request, response) => void answer(request, response).catch(() => response.destroy())).listen(
  Number(port),
  '127.0.0.1',
);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/v1/models')
    return send(response, { object: 'list', data: [{ id: 'm', object: 'model', max_model_len: 8192 }] });
  // What the gateway tries an engine with.
  if (request.url === '/v1/completions')
    return send(response, {
      object: 'text_completion',
      choices: [{ index: 0, text: 'w', finish_reason: 'length' }],
    });
  if (request.url !== '/v1/chat/completions') return send(response, {});
  const question = (await json(request)) as Question;
  const id = String(request.headers['x-request-id']);
  const last = question.messages.at(-1);
  // What another engine wrote before it died is the beginning of the answer.
  const written = question.continue_final_message === true ? (last?.content.match(/w\d+/g)?.length ?? 0) : 0;
  const words = Number(/words=(\d+)/.exec(question.messages[0]?.content ?? '')?.[1] ?? 3);
  const left = Math.min(words - written, question.max_tokens ?? Infinity);
  note('begun', id, written);
  const usage = (tokens: number) => ({
    prompt_tokens: promptTokens,
    completion_tokens: tokens,
    total_tokens: promptTokens + tokens,
  });
  const base = { id: `chatcmpl-${id}`, created: 1, model: 'm' };
  if (question.stream !== true) {
    await pause(left * frameEveryMs);
    const content = Array.from({ length: left }, (_, index) => `w${index} `).join('');
    note('ended', id, left);
    const message = { role: 'assistant', content };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return send(response, { ...base, object: 'chat.completion', choices, usage: usage(left) });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const frame = (rest: object) =>
    response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...rest })}\n\n`);
  const piece = (delta: object, finish: string | null = null) =>
    frame({ choices: [{ index: 0, delta, finish_reason: finish }] });
  piece({ role: 'assistant', content: '' });
  for (let index = 0; index < left; index += 1) {
    if (response.destroyed) return;
    // A template cuts the blank off the end of what was written, so that it comes once more.
    piece({ content: `${index === 0 && written > 0 ? ' ' : ''}w${written + index} ` });
    await pause(frameEveryMs);
  }
  if (response.destroyed) return;
  note('ended', id, left);
  piece({}, 'stop');
  frame({ choices: [], usage: usage(left) });
  response.end('data: [DONE]\n\n');
}

function note(what: 'begun' | 'ended', id: string, tokens: number): void {
  appendFileSync(book, `${what} ${id} ${tokens}\n`);
}

function send(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
