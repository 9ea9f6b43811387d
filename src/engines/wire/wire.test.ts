import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificate, privateKey } from '#harness/certificate';
import { waitUntil } from '#harness/wait-until';
import type { FailureStage, SentRequest } from './sent-request.ts';
import { createWire, type Wire } from './wire.ts';

/** What an engine does with a request: `earlier` is how many came before it on the same connection. */
type Script = (socket: Socket, asked: { readonly text: string; readonly earlier: number }) => void;

interface Engine {
  readonly wire: Wire;
  readonly sockets: Socket[];
  readonly asked: string[];
}

const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: engine\r\n';
const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const answerWith = (body: string) => `${ok}content-length: ${body.length}\r\n\r\n${body}`;

/** An engine made of nothing but bytes, which also sees that no request comes before the last answer has ended. */
async function startEngine(context: TestContext, script: Script, socketPath?: string): Promise<Engine> {
  const sockets: Socket[] = [];
  const asked: string[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    let text = '';
    let earlier = 0;
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      const [, length] = /content-length: (\d+)\r\n\r\n/.exec(text) ?? [];
      if (length === undefined) return;
      const end = text.indexOf('\r\n\r\n') + 4 + Number(length);
      if (text.length < end) return;
      assert.equal(text.length, end, 'two requests at once on one connection');
      asked.push(text);
      const request = { text, earlier: earlier++ };
      text = '';
      script(socket, request);
    });
  });
  if (socketPath === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socketPath);
  await once(server, 'listening');
  const url = socketPath ? 'http://engine' : `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wire = createWire({ url: new URL(url), socketPath }, () => performance.now());
  context.after(() => {
    wire.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { wire, sockets, asked };
}

interface Heard {
  status: number;
  body: string;
  failure: FailureStage | undefined;
}

/** Resolves when the answer has ended or failed. */
function ask(wire: Wire, body: string | Buffer = '{}', mayRepeat = true): Promise<Heard> {
  return listen(wire, body, mayRepeat).heard;
}

/** A body is sent in pieces, as edits leave it. */
function piecesOf(body: Buffer): Buffer[] {
  const middle = body.length >> 1;
  return [body.subarray(0, middle), body.subarray(middle)];
}

function listen(
  wire: Wire,
  body: string | Buffer,
  mayRepeat: boolean,
  onChunk: (sent: SentRequest, chunk: Buffer) => void = () => {},
): { readonly sent: SentRequest; readonly heard: Promise<Heard> } {
  const { promise, resolve } = Promise.withResolvers<Heard>();
  const heard: Heard = { status: 0, body: '', failure: undefined };
  const request = { head, body: piecesOf(Buffer.from(body)) };
  const sent = wire.send(
    { ...request, repeat: mayRepeat ? () => request : undefined },
    {
      answerBegan: (status) => void (heard.status = status),
      chunkArrived(chunk) {
        heard.body += chunk.toString('latin1');
        onChunk(sent, chunk);
      },
      answerEnded: () => resolve(heard),
      answerFailed: (_cause, stage) => resolve({ ...heard, failure: stage }),
    },
  );
  return { sent, heard: promise };
}

test('one request after another goes over the same connection, as it is', async (context) => {
  const { wire, sockets, asked } = await startEngine(context, (socket, { text }) =>
    socket.write(answerWith(String(text.length))),
  );
  const bodies = ['{"a":1}', '{"text":"ü\u2028🙂"}', 'x'.repeat(20_000)];
  for (const body of bodies) assert.equal((await ask(wire, body)).status, 200);
  assert.equal(sockets.length, 1);
  assert.deepEqual(
    asked,
    bodies.map((body) => {
      const bytes = Buffer.from(body);
      return `${head}content-length: ${bytes.length}\r\n\r\n${bytes.toString('latin1')}`;
    }),
  );
});

test('requests at the same time have connections of their own', async (context) => {
  const waiting: Socket[] = [];
  const { wire, sockets } = await startEngine(context, (socket) => {
    waiting.push(socket);
    if (waiting.length === 20) for (const each of waiting) each.write(answerWith('done'));
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(wire)));
  assert.ok(answers.every(({ body }) => body === 'done'));
  assert.equal(sockets.length, 20);
});

test('over a socket of the file system', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-wire-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const { wire } = await startEngine(
    context,
    (socket) => socket.write(answerWith('here')),
    join(folder, 'engine.sock'),
  );
  assert.equal((await ask(wire)).body, 'here');
  const nowhere = createWire({ url: new URL('http://engine'), socketPath: join(folder, 'none') }, () => 0);
  assert.equal((await ask(nowhere)).failure, 'connecting');
});

test('encrypted, where the certificate is the one that the name promises', async (context) => {
  const server = createTlsServer({ key: privateKey, cert: certificate }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write(answerWith(String(socket.servername))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const wireTo = (host: string) =>
    createWire({ url: new URL(`https://${host}:${port}`), socketPath: undefined }, () => performance.now());
  const trusted = getCACertificates('default');
  context.after(() => {
    setDefaultCACertificates(trusted);
    server.close();
  });
  assert.equal((await ask(wireTo('localhost'))).failure, 'connecting', 'nobody vouches for it');
  setDefaultCACertificates([...trusted, certificate]);
  const wire = wireTo('localhost');
  for (let round = 0; round < 2; round++) assert.equal((await ask(wire)).body, 'localhost');
  assert.equal((await ask(wireTo('127.0.0.1'))).failure, 'connecting', 'it is for another name');
  wire.destroy();
});

for (const [name, answer] of Object.entries({
  'the engine says that it closes': `${ok}connection: close\r\ncontent-length: 2\r\n\r\nhi`,
  'the engine speaks HTTP/1.0': 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nhi',
  'bytes follow the answer': `${answerWith('hi')}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`,
  'there is no body where one was announced': 'HTTP/1.1 204 -\r\ncontent-length: 2\r\n\r\n',
  'the engine keeps it for too short a time': `${ok}keep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nhi`,
}))
  test(`a connection is not used again when ${name}`, async (context) => {
    const { wire, sockets } = await startEngine(context, (socket) => socket.write(answer));
    for (let round = 1; round <= 2; round++) {
      const { status, body, failure } = await ask(wire);
      assert.deepEqual(
        [status, body, failure],
        status === 204 ? [204, '', undefined] : [200, 'hi', undefined],
      );
      assert.equal(sockets.length, round);
    }
  });

test('an answer without framing ends with its connection', async (context) => {
  const { wire } = await startEngine(context, (socket) => socket.end(`${ok}\r\nuntil the end`));
  assert.deepEqual(await ask(wire), { status: 200, body: 'until the end', failure: undefined });
});

test('bytes on an idle connection close it', async (context) => {
  const { wire, sockets } = await startEngine(context, (socket) => socket.write(answerWith('hi')));
  await ask(wire);
  sockets[0]?.write(answerWith('evil'));
  await waitUntil('the connection is closed', () => sockets[0]?.destroyed === true);
  assert.equal((await ask(wire)).body, 'hi');
});

test('an answer that comes before the whole question leaves no connection behind', async (context) => {
  const { wire, sockets, asked } = await startEngine(context, () => {});
  const early = ask(wire, Buffer.alloc(32 * 1024 * 1024));
  await waitUntil('a connection', () => sockets.length === 1);
  // Reads nothing of the rest: it must not be taken for the next request.
  sockets[0]?.pause();
  sockets[0]?.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
  assert.equal((await early).status, 413);
  sockets[0]?.resume();
  await waitUntil('it is closed', () => sockets[0]?.destroyed === true);
  assert.equal(asked.length, 0);
});

test('a kept connection that died is replaced once, and only before the first byte of an answer', async (context) => {
  let dies: (socket: Socket) => void = () => {};
  const { wire, asked } = await startEngine(context, (socket, { earlier }) => {
    if (earlier === 0) socket.write(answerWith('hi'));
    else dies(socket);
  });
  for (const death of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
    dies = death;
    assert.equal((await ask(wire)).body, 'hi');
    const before = asked.length;
    assert.equal((await ask(wire)).body, 'hi');
    assert.equal(asked.length, before + 2);
    assert.equal((await ask(wire, '{}', false)).failure, 'sent');
  }
  await ask(wire);
  dies = (socket) => socket.end('H');
  const before = asked.length;
  assert.equal((await ask(wire)).failure, 'answering');
  assert.equal(asked.length, before + 1);
});

test('whoever fails twice is not asked a third time', async (context) => {
  let isWell = true;
  const { wire, asked } = await startEngine(context, (socket) =>
    isWell ? socket.write(answerWith('hi')) : socket.resetAndDestroy(),
  );
  await ask(wire);
  isWell = false;
  assert.equal((await ask(wire)).failure, 'sent-again');
  assert.equal(asked.length, 3);
  assert.equal((await ask(wire)).failure, 'sent');
});

test('an engine that closes idle connections at any moment loses nobody', async (context) => {
  const { wire } = await startEngine(context, (socket) => {
    socket.write(answerWith('hi'));
    setTimeout(() => socket.end(), Math.random() * 4);
  });
  for (let round = 0; round < 200; round++) {
    const { body, failure } = await ask(wire);
    // The engine also closes connections that have just been opened anew: those are failures, but no wrong answers.
    if (failure === undefined) assert.equal(body, 'hi');
    else assert.match(failure, /^sent/);
    await sleep(Math.random() * 4);
  }
});

test('an answer that breaks off or breaks the rules fails where it was', async (context) => {
  const answers = [
    `${ok}content-length: 9\r\n\r\nhalf`,
    `${ok}content-length: 2\r\ncontent-length: 4\r\n\r\nevil`,
  ];
  const { wire, sockets } = await startEngine(context, (socket) => socket.end(answers.shift() ?? ''));
  assert.deepEqual(await ask(wire), { status: 200, body: 'half', failure: 'answering' });
  assert.deepEqual(await ask(wire), { status: 0, body: '', failure: 'answering' });
  await waitUntil('both are closed', () => sockets.every(({ destroyed }) => destroyed));
});

test('an aborted request closes its connection, whatever it was doing', async (context) => {
  const { wire, sockets, asked } = await startEngine(context, (socket) =>
    socket.write(`${ok}transfer-encoding: chunked\r\n\r\n2\r\nhi\r\n`),
  );
  const begun = listen(wire, '{}', true, (sent) => sent.abort());
  await waitUntil('the engine sees it', () => sockets[0]?.destroyed === true);
  begun.sent.abort();
  listen(wire, '{}', true).sent.abort();
  assert.equal(asked.length, 1);
});

test('a reader that pauses makes the engine wait, and loses nothing', async (context) => {
  const piece = 'x'.repeat(64 * 1024);
  const pieces = 400;
  let sent = 0;
  const { wire, sockets } = await startEngine(context, (socket) => {
    socket.write(`${ok}content-length: ${pieces * piece.length}\r\n\r\n`);
    const more = () => {
      while (sent < pieces) {
        sent++;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', more);
    more();
  });
  let bytes = 0;
  let isHeld = true;
  const { sent: request, heard } = listen(wire, '{}', true, (sending, chunk) => {
    bytes += chunk.length;
    if (isHeld) sending.pause();
  });
  await waitUntil('the engine waits', () => sockets[0]?.writableNeedDrain === true);
  await sleep(50);
  assert.ok(sent < pieces, 'the engine was not made to wait');
  isHeld = false;
  request.resume();
  assert.equal((await heard).failure, undefined);
  assert.equal(bytes, pieces * piece.length);
  // The next one on the same connection flows.
  assert.equal(sockets.length, 1);
});

test('idle connections are closed in time, retired ones after their last answer', async (context) => {
  const held: Socket[] = [];
  const { wire, sockets } = await startEngine(context, (socket, { text }) => {
    if (text.endsWith('hold')) held.push(socket);
    else socket.write(answerWith('hi'));
  });
  await ask(wire);
  wire.closeStale(performance.now() + 60_000);
  await waitUntil('the idle one is closed', () => sockets[0]?.destroyed === true);
  const last = ask(wire, 'hold');
  await waitUntil('it is under way', () => held.length === 1);
  wire.retire();
  held[0]?.write(answerWith('in the end'));
  assert.equal((await last).body, 'in the end');
  await waitUntil('nothing is left', () => sockets.every(({ destroyed }) => destroyed));
});

test('a wire that is destroyed fails what is under way, and repeats nothing', async (context) => {
  const { wire, sockets, asked } = await startEngine(context, (socket, { earlier }) => {
    if (earlier === 0) socket.write(answerWith('hi'));
  });
  await ask(wire);
  const last = ask(wire);
  await waitUntil('it is under way', () => asked.length === 2);
  wire.destroy();
  assert.equal((await last).failure, 'sent');
  assert.equal(sockets.length, 1);
});
