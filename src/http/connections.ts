import type { Clock } from '#vocabulary/clock';
import type { Connection } from './connection.ts';

/** All connections that can carry requests. Once a second all of them look at the time, instead of each by a timer. */
export interface Connections {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  /** Closes those that have been answered and may or may not bring another request. */
  closeIdle(): void;
  stop(): void;
}

const beatMs = 1000;

export function createConnections(clock: Clock): Connections {
  const connections = new Set<Connection>();
  const beat = setInterval(() => {
    const nowMs = clock.monotonicMs();
    for (const connection of connections) connection.checkTime(nowMs);
  }, beatMs);
  beat.unref();
  return {
    add: (connection) => void connections.add(connection),
    remove: (connection) => void connections.delete(connection),
    closeIdle() {
      for (const connection of connections) if (connection.isIdle) connection.destroy();
    },
    stop: () => clearInterval(beat),
  };
}
