import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * What is being answered on each connection; as many as there are open ones. Node's own `closeIdleConnections` also
 * closes those whose first request is still on its way.
 */
export interface Connections {
  /** Called for every request, before it is answered. */
  serving(request: IncomingMessage, response: ServerResponse): void;
  /** Called when an answer is over, one way or the other. */
  served(request: IncomingMessage, response: ServerResponse): void;
  /** The answers under way, in the order of their requests. */
  underWay(socket: object): readonly Answering[];
  /** Closes those that have been answered and may or may not bring another request. */
  closeIdle(): void;
}

export interface Answering {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function createConnections(): Connections {
  const connections = new Map<object, { readonly socket: Socket; underWay: readonly Answering[] }>();
  return {
    serving(request, response) {
      const { socket } = request;
      const known = connections.get(socket);
      if (known === undefined) {
        connections.set(socket, { socket, underWay: [{ request, response }] });
        socket.on('close', () => connections.delete(socket));
      } else known.underWay = [...known.underWay, { request, response }];
    },
    served(request, response) {
      const known = connections.get(request.socket);
      if (known !== undefined) known.underWay = known.underWay.filter((one) => one.response !== response);
    },
    underWay: (socket) => connections.get(socket)?.underWay ?? [],
    closeIdle() {
      for (const { socket, underWay } of connections.values()) if (underWay.length === 0) socket.destroy();
    },
  };
}
