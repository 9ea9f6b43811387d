/**
 * The way to one engine for what is asked often: HTTP/1.1 over sockets that are kept, and nothing between. As many
 * sockets as there are requests under way, and never two requests on one at a time: who waits is decided elsewhere.
 */
import { Roster } from '#vocabulary/roster';
import { Connection } from './connection.ts';
import type { EngineAddress } from './open-socket.ts';
import { type AnswerReader, SentRequest, type WireRequest } from './sent-request.ts';

export interface Wire {
  /** The reader hears of everything later, never within this call. */
  send(request: WireRequest, reader: AnswerReader): SentRequest;
  /** Closes connections that have been idle for too long; to be called every second or so. */
  closeStale(nowMs: number): void;
  /** What is under way may end; nothing else is kept. */
  retire(): void;
  /** Ends everything at once. */
  destroy(): void;
}

export function createWire(address: EngineAddress, monotonicMs: () => number): Wire {
  const connections = new Roster<Connection>();
  /** The last that was used comes first, so that those nobody needs grow old. */
  let idle: Connection[] = [];
  let isRetired = false;

  return {
    send(request, reader) {
      const sent = new SentRequest(request, reader, () => (isRetired ? undefined : openConnection()));
      sent.go(takeIdle() ?? openConnection());
      return sent;
    },
    closeStale(nowMs) {
      if (idle.length === 0) return;
      const stale = idle.filter((connection) => connection.isStale(nowMs));
      if (stale.length === 0) return;
      idle = idle.filter((connection) => !stale.includes(connection));
      for (const connection of stale) connection.close(new Error('idle for too long'));
    },
    retire() {
      isRetired = true;
      const unused = idle;
      idle = [];
      for (const connection of unused) connection.close(new Error('the engine was taken out of service'));
    },
    destroy() {
      isRetired = true;
      idle = [];
      for (const connection of connections.members()) connection.close(new Error('the service is stopping'));
    },
  };

  function takeIdle(): Connection | undefined {
    if (idle.length === 0) return undefined;
    const nowMs = monotonicMs();
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (!connection.isStale(nowMs)) return connection;
      connection.close(new Error('idle for too long'));
    }
    return undefined;
  }

  function openConnection(): Connection {
    const connection = new Connection(address, monotonicMs, {
      freed,
      closed: () => connections.remove(entry),
    });
    const entry = connections.add(connection);
    return connection;
  }

  function freed(connection: Connection): void {
    if (isRetired) connection.close(new Error('the engine was taken out of service'));
    else idle.push(connection);
  }
}
