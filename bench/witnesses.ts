import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWitnesses, type Witnesses } from '#continuity';
import { Cancellation } from '#vocabulary/cancellation';

/**
 * What it costs a gateway to tell others of an answer: `node bench/witnesses.ts`. CPU time of the gateway's side for
 * each frame, with nobody, an heir, and an heir and a spare listening over plain sockets in a process of their own.
 */
const answers = 50;
const turns = 2000;
const rounds = 5;
const frame = Buffer.from(
  `id: 1\ndata: ${JSON.stringify({ choices: [{ delta: { content: 'word ' } }] })}\n\n`,
);

const [, , port] = process.argv;
if (port === undefined) await measureAll();
else listenTo(Number(port));

async function measureAll(): Promise<void> {
  const taken = new Map<number, number[]>([0, 1, 2].map((listeners) => [listeners, []]));
  await measure(2);
  for (let round = 0; round < rounds; round++)
    for (const [listeners, microseconds] of taken) microseconds.push(await measure(listeners));
  for (const [listeners, microseconds] of taken) {
    const sorted = microseconds.toSorted((one, other) => one - other).map((one) => one.toFixed(1));
    console.log(
      `${listeners} listeners: ${sorted[rounds >> 1]} µs for each frame (${sorted[0]}–${sorted.at(-1)})`,
    );
  }
}

async function measure(listeners: number): Promise<number> {
  const witnesses = createWitnesses();
  const server = createServer({ noDelay: true }, (socket) =>
    join(witnesses, String(socket.remotePort), socket),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  const children = Array.from({ length: listeners }, () => fork(import.meta.filename, [String(ownPort)]));
  await Promise.all(children.map((child) => once(child, 'message')));
  const log = { has: () => true, after: () => [] };
  const told = Array.from({ length: answers }, (_, index) =>
    witnesses.tell(
      {
        id: `answer-${index}`,
        keyId: 'key',
        personId: 'person',
        address: '::1',
        isAddressCertain: true,
        asked: 'chat/completions',
        seconds: 60,
        begunAs: undefined,
        lostGateways: 0,
      },
      Buffer.from('{}'),
      [],
      log,
    ),
  );
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) {
    for (const one of told) one.frames([frame]);
    await nextTurn();
  }
  const { user, system } = process.cpuUsage(before);
  witnesses.stop();
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => once(child, 'exit')));
  server.close();
  return (user + system) / (answers * turns);
}

function join(witnesses: Witnesses, gatewayId: string, socket: Socket): void {
  socket.on('error', () => {});
  const reply = {
    hasBegun: true,
    hasEnded: false,
    get bufferedBytes() {
      return socket.writableLength;
    },
    showPlace() {},
    announce() {},
    begin() {},
    write: (chunk: Buffer | string) => socket.write(chunk),
    onDrain: (listener: () => void) => void socket.once('drain', listener),
    end: () => void socket.end(),
  };
  witnesses.join(gatewayId, { reply, cancellation: new Cancellation() }, true);
}

function listenTo(gatewayPort: number): void {
  const socket = connect(gatewayPort, '127.0.0.1');
  socket.once('data', () => process.send?.('listening'));
  socket.resume();
}
