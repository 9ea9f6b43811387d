/**
 * An engine that costs nothing: answers at once, or streams frames at a fixed pace. A process of its own.
 * `stamp=N` in the prompt puts the moment of sending into each frame and makes it N characters longer.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMicros } from './monotonic-clock.ts';

const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'x'.repeat(600) },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 200, completion_tokens: 100, total_tokens: 300 },
  }),
);
/** What a gateway that tries its engine out wants to see. */
const completion = Buffer.from(
  JSON.stringify({ id: 'cmpl-bench', object: 'text_completion', choices: [{ index: 0, text: ' word' }] }),
);
const frame = `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta: { content: ' word' }, logprobs: null, finish_reason: null }] })}\n\n`;
const last = `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [], usage: { prompt_tokens: 200, completion_tokens: 100, total_tokens: 300 } })}\n\ndata: [DONE]\n\n`;

const [beforeWord = '', afterWord = ''] = frame.split(' word');
let activeStreams = 0;
let requests = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const stream = /pace=(\d+) frames=(\d+)(?: stamp=(\d+))?/.exec(body.subarray(0, 600).toString('latin1'));
    requests++;
    if (stream === null) {
      const whole = request.url === '/v1/completions' ? completion : answer;
      response.writeHead(200, ['content-type', 'application/json', 'content-length', String(whole.length)]);
      response.end(whole);
    } else pace(response, Number(stream[1]), Number(stream[2]), frameMaker(stream[3]));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () =>
  server.getConnections((_error, connections) => process.send?.({ activeStreams, requests, connections })),
);
process.on('disconnect', () => process.exit(0));

function frameMaker(extraCharacters: string | undefined): () => string {
  if (extraCharacters === undefined) return () => frame;
  const after = 'x'.repeat(Number(extraCharacters)) + afterWord;
  return () => `${beforeWord} t=${monotonicMicros()};${after}`;
}

/** Each stream has its own beat, begun at a random moment, as real ones do. */
function pace(response: ServerResponse, paceMs: number, frames: number, nextFrame: () => string): void {
  response.writeHead(200, ['content-type', 'text/event-stream; charset=utf-8']);
  let left = frames;
  activeStreams++;
  response.write(nextFrame());
  const start = setTimeout(() => {
    const timer = setInterval(() => {
      left--;
      if (left > 0) {
        // An engine that nobody listens to waits, it does not pile up.
        if (!response.writableNeedDrain) response.write(nextFrame());
      } else {
        clearInterval(timer);
        response.end(last);
      }
    }, paceMs);
    response.on('close', () => clearInterval(timer));
  }, Math.random() * paceMs);
  response.on('close', () => {
    clearTimeout(start);
    activeStreams--;
  });
}
