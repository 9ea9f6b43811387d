import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between browser and service that can fail. */
export interface CuttableLine extends AsyncDisposable {
  readonly url: string;
  /** Nothing comes through any more and nobody is told, as when a computer leaves the Wi-Fi. */
  fallSilent(): void;
  /** Connections break, and new ones are refused, as when the service is not there. */
  cut(): void;
  /** New connections come through; those from before are broken. */
  mend(): void;
}

export async function openCuttableLine(target: string): Promise<CuttableLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'open' | 'silent' | 'cut' = 'open';
  const server = createServer((near) => {
    follow(near);
    if (state === 'cut') near.destroy();
    if (state !== 'open') return;
    const far = connect(Number(port), hostname);
    follow(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent() {
      state = 'silent';
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut() {
      state = 'cut';
      hangUp();
    },
    mend() {
      state = 'open';
      hangUp();
    },
    async [Symbol.asyncDispose]() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };

  function follow(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  }

  function hangUp(): void {
    for (const socket of sockets) socket.destroy();
  }
}
