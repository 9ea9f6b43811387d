import type { Clock } from '#vocabulary/clock';

/** What carries requests. */
interface Carrier {
  checkTime(nowMs: number): void;
  /** At once where nothing is being carried; otherwise afterwards. */
  leave(): void;
}

/** All connections that can carry requests. Once a second all of them look at the time, instead of each by a timer. */
export interface Connections {
  add(connection: Carrier): void;
  remove(connection: Carrier): void;
  /** None is to bring another request. */
  leave(): void;
  stop(): void;
}

const beatMs = 1000;

export function createConnections(clock: Clock): Connections {
  const connections = new Set<Carrier>();
  const beat = setInterval(() => {
    const nowMs = clock.monotonicMs();
    for (const connection of connections) connection.checkTime(nowMs);
  }, beatMs);
  beat.unref();
  return {
    add: (connection) => void connections.add(connection),
    remove: (connection) => void connections.delete(connection),
    leave() {
      for (const connection of connections) connection.leave();
    },
    stop: () => clearInterval(beat),
  };
}
