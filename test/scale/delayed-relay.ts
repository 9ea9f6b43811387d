import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network that carries every byte, but as late as one likes. */
export interface DelayedRelay {
  readonly port: number;
  delayMs: number;
  stop(): Promise<void>;
}

export async function startDelayedRelay(targetPort: number): Promise<DelayedRelay> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    carry(near, far);
    carry(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay: DelayedRelay = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return relay;

  /** In the order in which it came, also when the delay becomes shorter. */
  function carry(from: Socket, to: Socket): void {
    sockets.add(from);
    let last = Promise.resolve();
    const later = (work: () => void) => {
      const dueAt = performance.now() + relay.delayMs;
      last = last.then(() => until(dueAt)).then(work);
    };
    from.on('data', (bytes) => later(() => void to.write(bytes)));
    from.on('end', () => later(() => void to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      later(() => to.destroy());
    });
  }

  function until(dueAt: number): Promise<void> | undefined {
    const leftMs = dueAt - performance.now();
    if (leftMs <= 0 || relay.delayMs === 0) return undefined;
    // Looks again and again: what waits is let go when the network is mended.
    return new Promise<void>((resolve) => setTimeout(resolve, Math.min(leftMs, 50))).then(() => until(dueAt));
  }
}
