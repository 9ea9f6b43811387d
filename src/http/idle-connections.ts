import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections that have been answered and may or may not bring another request; as many as there are open
 * connections. Node's own `closeIdleConnections` also closes those whose first request is still on its way.
 */
export interface IdleConnections {
  /** Called for every request, before it is answered. */
  serving(socket: Socket, response: ServerResponse): void;
  /** Called when an answer is over, one way or the other. */
  served(socket: Socket, response: ServerResponse): void;
  close(): void;
}

export function createIdleConnections(): IdleConnections {
  /** The newest request of each connection; undefined when it has been answered. */
  const newest = new Map<Socket, ServerResponse | undefined>();
  return {
    serving(socket, response) {
      if (!newest.has(socket)) socket.on('close', () => newest.delete(socket));
      newest.set(socket, response);
    },
    served(socket, response) {
      if (newest.get(socket) === response) newest.set(socket, undefined);
    },
    close() {
      for (const [socket, response] of newest) if (response === undefined) socket.destroy();
    },
  };
}
