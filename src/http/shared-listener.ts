import { createServer, type Server } from 'node:net';

/** Another way in to `server`: whoever connects here is served as if they had connected there. */
export function createSharedListener(server: Server, hasRoom: () => boolean): Server {
  return createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    if (hasRoom()) server.emit('connection', socket);
    else socket.destroy();
  });
}
