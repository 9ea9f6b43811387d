import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { createCallerBudgets } from './caller-budgets.ts';
import { HttpReply } from './http-reply.ts';

const limits = { totalBytes: 1e9, callerBytes: 1e9, maxRequestsPerAddress: 10, isTrustedProxy: () => false };

test('pieces of every kind leave in the order in which they were written, also within one moment', async () => {
  const pieces = ['text', 'x'.repeat(40_000), 'small', 'y'.repeat(20_000), 'last'].map((piece, index) =>
    index % 4 === 0 ? piece : Buffer.from(piece),
  );
  const server = createServer((_request, response) => {
    const reply = new HttpReply(response, [], createCallerBudgets(limits).open('127.0.0.1'));
    reply.begin(200, ['content-type', 'text/event-stream']);
    for (const piece of pieces) reply.write(piece);
    reply.write(Buffer.from('|'));
    setImmediate(() => {
      for (const piece of pieces) reply.write(piece);
      reply.end(Buffer.from('|'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  server.close();
  server.closeAllConnections();
  const whole = `${pieces.join('')}|`;
  assert.equal(text, whole + whole);
});
