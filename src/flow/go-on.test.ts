import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContinuity, createWitnesses } from '#continuity';
import { HeardReply } from '#harness/heard-reply';
import { Cancellation } from '#vocabulary/cancellation';
import { silentLogger } from '#vocabulary/logger';
import { goOnWithAnswer } from './go-on.ts';

/** What a reader is told of an answer whose gateway died, where whoever should go on with it fails. */
async function heardOf(asked: string, told: readonly string[], isBug = true): Promise<string> {
  const limits = { longestMs: 60_000, streamsPerKey: 1, bytesPerKey: 10_000, totalBytes: 10_000 };
  const continuity = createContinuity(limits);
  const witnesses = createWitnesses();
  const serveRest = async () => {
    if (isBug) throw new Error('a bug');
  };
  await goOnWithAnswer(
    { continuity, witnesses, serveRest, logger: silentLogger },
    {
      id: 'answer',
      keyId: 'key',
      personId: 'ada',
      address: '192.0.2.7',
      isAddressCertain: true,
      asked,
      seconds: 60,
      begunAs: 'request',
      lostGateways: 0,
      body: Buffer.from('{}'),
      headers: ['content-type', 'text/event-stream'],
      frames: told.map((text, index) => Buffer.from(`id: ${index + 1}\n${text}\n\n`)),
      hasEnded: false,
    },
  );
  const reply = new HeardReply();
  continuity.resume('answer', 'ada', told.length, { reply, cancellation: new Cancellation() });
  continuity.stop();
  witnesses.stop();
  assert.equal(reply.hasEnded, true, 'at once');
  return reply.text;
}

test('a bug of whoever goes on with an answer is told to its reader at once, in their dialect', async () => {
  const chat = await heardOf('chat/completions', ['data: {"choices":[{"delta":{"content":"x"}}]}']);
  assert.match(chat, /^id: 2\ndata: \{"error":\{.*"code":"stream_not_kept".*\n\nid: 3\ndata: \[DONE\]\n\n$/);
  const message = await heardOf('messages', [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1"}}',
  ]);
  assert.match(
    message,
    /^id: 2\nevent: error\ndata: \{"type":"error","error":\{"type":"[a-z_]+","message":"[^\n]*\}\}\n\n$/,
  );
  const response = await heardOf('responses', [
    'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","created_at":1}}',
    'event: response.output_item.done\ndata: {"type":"response.output_item.done","sequence_number":1,"item":{"id":"rs_1","type":"reasoning"}}',
  ]);
  const [head, data = ''] = response.trim().split('\ndata: ');
  assert.equal(head, 'id: 3\nevent: response.failed');
  const event = JSON.parse(data) as Record<string, unknown>;
  assert.equal(event['sequence_number'], 2);
  const { error, ...failed } = event['response'] as Record<string, unknown>;
  assert.deepEqual(failed, {
    id: 'resp_1',
    created_at: 1,
    status: 'failed',
    output: [{ id: 'rs_1', type: 'reasoning' }],
  });
  assert.match(JSON.stringify(error), /"code":"stream_not_kept"/);
});

test('what cannot be read ends with an error, and what had come to its end is only closed', async () => {
  assert.match(await heardOf('messages', ['data: {nonsense'], false), /^id: 2\nevent: error\n/);
  assert.match(await heardOf('embeddings', ['data: {}'], false), /"code":"stream_not_kept"/);
  assert.equal(await heardOf('messages', ['data: {"type":"message_stop"}'], false), '');
  assert.equal(
    await heardOf('responses', ['data: {"type":"response.completed","sequence_number":0}'], false),
    '',
  );
  const finished = 'data: {"choices":[{"finish_reason":"stop"}]}';
  assert.equal(await heardOf('chat/completions', [finished], false), 'id: 2\ndata: [DONE]\n\n');
  assert.equal(await heardOf('chat/completions', [finished, 'data: [DONE]'], false), '');
});
