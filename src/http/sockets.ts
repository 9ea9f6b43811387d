import type { Server, Socket } from 'node:net';
import { canonicalAddress } from '#vocabulary/address';

/**
 * All open sockets, also those that are still silent or in the middle of a TLS handshake, which the HTTP server does
 * not know yet. At most `maxConnections`, and of one address at most `maxPerAddress`: what comes beyond is closed.
 */
export interface Sockets {
  readonly size: number;
  /** Closed because their address had enough. */
  readonly refused: number;
  destroyAll(): void;
}

export function watchSockets(
  server: Server,
  limits: { readonly maxPerAddress: number; readonly isTrustedProxy: (address: string) => boolean },
): Sockets {
  const sockets = new Set<Socket>();
  const byAddress = new Map<string, number>();
  let refused = 0;
  server.on('connection', (socket: Socket) => {
    const address = peerAddressOf(socket);
    const count = (byAddress.get(address) ?? 0) + 1;
    if (count > limits.maxPerAddress && !limits.isTrustedProxy(address)) {
      refused++;
      socket.destroy();
      return;
    }
    sockets.add(socket);
    byAddress.set(address, count);
    socket.once('close', () => {
      sockets.delete(socket);
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left === 0) byAddress.delete(address);
      else byAddress.set(address, left);
    });
  });
  return {
    get size() {
      return sockets.size;
    },
    get refused() {
      return refused;
    },
    destroyAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Cached on the socket: one connection, one peer. A unix socket has no address and is nobody's network. */
export function peerAddressOf(socket: Socket & { [peer]?: string }): string {
  return (socket[peer] ??= canonicalAddress(socket.remoteAddress ?? '') ?? 'unknown');
}

const peer = Symbol('canonical peer address');
