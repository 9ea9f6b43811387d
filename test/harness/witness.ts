import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { exchangesIn } from './http-transcript.ts';
import type { HttpExchange } from './http-transcript.ts';

/** Stands in the wire between any client and a server, passes every byte on unchanged and remembers it. */
export interface Witness {
  /** Without a slash at the end. */
  readonly url: string;
  exchanges(): HttpExchange[];
  stop(): Promise<void>;
}

export async function startWitness(target: string): Promise<Witness> {
  const { hostname, port } = new URL(target);
  const conversations: { readonly sent: Buffer[]; readonly received: Buffer[] }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    const conversation = { sent: [] as Buffer[], received: [] as Buffer[] };
    conversations.push(conversation);
    pass(client, upstream, conversation.sent);
    pass(upstream, client, conversation.received);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges: () =>
      conversations.flatMap(({ sent, received }) =>
        exchangesIn(Buffer.concat(sent), Buffer.concat(received)),
      ),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function pass(from: Socket, to: Socket, remembered: Buffer[]): void {
  from.on('data', (bytes: Buffer) => remembered.push(bytes));
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroySoon());
}
