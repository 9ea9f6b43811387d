import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections that have been answered and may or may not bring another request; as many as there are open
 * connections. Node's own `closeIdleConnections` also closes those whose first request is still on its way.
 */
export interface IdleConnections {
  /** Called for every request, before it is answered. */
  follow(socket: Socket, response: ServerResponse): void;
  close(): void;
}

export function createIdleConnections(): IdleConnections {
  const idle = new Set<Socket>();
  const known = new WeakSet<Socket>();
  return {
    follow(socket, response) {
      idle.delete(socket);
      response.on('finish', () => {
        if (!socket.destroyed) idle.add(socket);
      });
      if (known.has(socket)) return;
      known.add(socket);
      socket.on('close', () => idle.delete(socket));
    },
    close() {
      for (const socket of idle) socket.destroy();
      idle.clear();
    },
  };
}
