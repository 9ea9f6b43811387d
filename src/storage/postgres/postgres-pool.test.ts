import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { Refusal } from '#vocabulary/refusal';
import { createPostgresPool } from './postgres-pool.ts';

test('a server that dies while it is greeted, or says its last words after everybody has gone, ends nothing', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    const isDying = connections++ === 0;
    let isGreeted = false;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const kind = isGreeted ? bytes.toString('latin1', 0, 1) : 'greeting';
      isGreeted = true;
      // In one piece: nobody has had the time to listen to the connection that has just been made.
      if (kind === 'greeting') socket.write(Buffer.concat([welcome, isDying ? goodbye : Buffer.alloc(0)]));
      else if (kind === 'Q') socket.write(Buffer.concat([problem('ERROR', '57014'), ready]));
      else if (kind === 'X') socket.end(goodbye);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = createPostgresPool({
    address: `postgres://gatehouse@127.0.0.1:${port}/gatehouse`,
    connections: 1,
    statementMs: 60_000,
  });
  for (let turn = 0; turn < 2; turn++) {
    const client = await pool.connect();
    await assert.rejects(
      client.query('SELECT 1', []),
      (cause) => cause instanceof Refusal && cause.code === 'database_unavailable',
    );
    client.release();
  }
  // The only place is free again when the connection before has ended.
  (await pool.connect()).release();
  await pool.end();
  server.close();
});

const ready = message('Z', 'I');
const welcome = Buffer.concat([message('R', '\0\0\0\0'), ready]);
const goodbye = problem('FATAL', '57P01');

function problem(severity: string, code: string): Buffer {
  return message('E', `S${severity}\0C${code}\0Mthe last words\0\0`);
}

/** A kind, the length of the rest with itself, and the rest. */
function message(kind: string, rest: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(rest.length + 4);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(rest, 'latin1')]);
}
