import type { Duplex } from 'node:stream';
import { canonicalAddress, neighbourhoodOf } from '#vocabulary/address';

/** A socket of a caller, or what stands for one. */
export interface CallerSocket extends Duplex {
  readonly remoteAddress?: string | undefined;
  setTimeout(ms: number): unknown;
  destroySoon(): void;
}

/**
 * All open sockets, also those in the middle of a TLS handshake, which are no connections yet: of one address at most
 * `maxPerAddress`, and of one IPv6 /64, whose addresses cost nothing, half of all. What comes beyond is closed.
 */
export interface Sockets {
  /** False for one that has been closed. */
  admit(socket: CallerSocket): boolean;
  readonly size: number;
  /** Closed because their address had enough. */
  readonly refused: number;
  destroyAll(): void;
}

export function createSockets(limits: {
  readonly maxPerAddress: number;
  readonly maxConnections: number;
  readonly isTrustedProxy: (address: string) => boolean;
}): Sockets {
  const sockets = new Set<CallerSocket>();
  const addresses = new Tally();
  const neighbourhoods = new Tally();
  let refused = 0;
  return {
    admit(socket) {
      const address = peerAddressOf(socket);
      const neighbourhood = neighbourhoodOf(address);
      const isCrowd =
        addresses.of(address) >= limits.maxPerAddress ||
        (neighbourhood !== address && neighbourhoods.of(neighbourhood) >= limits.maxConnections / 2);
      if (isCrowd && !limits.isTrustedProxy(address)) {
        refused++;
        socket.destroy();
        return false;
      }
      sockets.add(socket);
      addresses.add(address, 1);
      neighbourhoods.add(neighbourhood, 1);
      socket.once('close', () => {
        sockets.delete(socket);
        addresses.add(address, -1);
        neighbourhoods.add(neighbourhood, -1);
      });
      return true;
    },
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

/** Keeps as many names as have something. */
class Tally {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, count: number): void {
    const sum = this.of(name) + count;
    if (sum === 0) this.#counts.delete(name);
    else this.#counts.set(name, sum);
  }
}

/** Cached on the socket: one connection, one peer. A unix socket has no address and is nobody's network. */
export function peerAddressOf(socket: CallerSocket & { [peer]?: string }): string {
  return (socket[peer] ??= canonicalAddress(socket.remoteAddress ?? '') ?? 'unknown');
}

const peer = Symbol('canonical peer address');
