export interface KeptRoomLimits {
  readonly streamsPerKey: number;
  readonly bytesPerKey: number;
  readonly totalBytes: number;
}

/** The place of one kept answer. */
export interface KeptPlace {
  /** False when there is no room for so many bytes more. */
  take(bytes: number): boolean;
  /** For what is here in any case. */
  takeBeyond(bytes: number): void;
  give(bytes: number): void;
  leave(): void;
}

interface Holding {
  streams: number;
  bytes: number;
}

/** Counts what is kept, for each key and in total. Remembers as many keys as have something here. */
export function createKeptRoom(limits: KeptRoomLimits): {
  readonly bytes: number;
  /** Undefined when the key has as many as it may. */
  takePlace(keyId: string): KeptPlace | undefined;
} {
  const holdings = new Map<string, Holding>();
  let total = 0;
  return {
    get bytes() {
      return total;
    },
    takePlace(keyId) {
      const holding = holdings.get(keyId) ?? { streams: 0, bytes: 0 };
      if (holding.streams >= limits.streamsPerKey) return undefined;
      holding.streams++;
      holdings.set(keyId, holding);
      let held = 0;
      const change = (bytes: number) => {
        held += bytes;
        holding.bytes += bytes;
        total += bytes;
      };
      return {
        take(bytes) {
          if (holding.bytes + bytes > limits.bytesPerKey || total + bytes > limits.totalBytes) return false;
          change(bytes);
          return true;
        },
        takeBeyond: change,
        give: (bytes) => change(-bytes),
        leave() {
          change(-held);
          holding.streams--;
          if (holding.streams === 0) holdings.delete(keyId);
        },
      };
    },
  };
}
