import type { GatewayNews, NewsBoard } from '#vocabulary/peers';
import type { VirtualTime } from './virtual-time.ts';

/** The database as gateways tell each other things through it, with the time that it takes and its own death. */
export interface SimulatedBoard {
  boardOf(gatewayId: string): NewsBoard;
  isReachable: boolean;
}

const deadAfterMs = 3_000;

export function createSimulatedBoard(time: VirtualTime, delayMs: () => number): SimulatedBoard {
  const rows = new Map<string, { readonly seenMs: number; readonly news: string }>();
  const board: SimulatedBoard = {
    isReachable: true,
    boardOf: (ownId) => ({
      ownId,
      async exchange(own) {
        const news = JSON.stringify(own);
        await trip();
        rows.set(ownId, { seenMs: time.monotonicMs(), news });
        await trip();
        const since = time.monotonicMs() - deadAfterMs;
        const others = [...rows].filter(([id, { seenMs }]) => id !== ownId && seenMs > since);
        const told = others.map(([gatewayId, row]) => ({
          gatewayId,
          ...(JSON.parse(row.news) as GatewayNews),
          ageMs: time.monotonicMs() - row.seenMs,
        }));
        await trip();
        return told;
      },
      withdraw: async () => void rows.delete(ownId),
    }),
  };
  return board;

  async function trip(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    time.after(delayMs(), resolve);
    await promise;
    if (!board.isReachable) throw new Error('the database is gone');
  }
}
