import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { KeptResponse, ResponseStore } from '#vocabulary/response-store';

export interface KeepingBounds {
  /** Of one owner; beyond it the oldest are forgotten. */
  readonly ownerBytes: number;
  /** Of all owners; beyond it nothing new is kept until something goes. */
  readonly totalBytes: number;
}

/** Writes responses behind the back of those who wait for them, and finds them before they are written. */
export interface Keeping {
  /**
   * Resolves with whether it is written. One that has ended waits for a database that is away, others are written anew
   * anyway. Never rejects.
   */
  save(kept: KeptResponse): Promise<boolean>;
  find(ownerId: string, id: string): Promise<KeptResponse | undefined>;
  remove(ownerId: string, id: string): Promise<boolean>;
  /** Refuses what could not be kept, before anybody works for it. */
  requireRoom(bytes: number): Promise<void>;
  /** Resolves when everything is written that can be now. */
  settled(): Promise<void>;
}

const maxCountPerOwner = 2000;
/** Responses in memory because the database does not take them; beyond it the oldest is lost. */
const maxPending = 500;
const measureEveryMs = 10_000;
const firstAgainMs = 250;
const lastAgainMs = 15_000;

export function createKeeping(
  store: ResponseStore,
  bounds: KeepingBounds,
  clock: Clock,
  logger: Logger,
): Keeping {
  const pending = new Map<string, KeptResponse>();
  let work: Promise<void> = Promise.resolve();
  /** With what was let in since; one for all who come at once. */
  let measured: Promise<{ bytes: number }> | undefined;
  let measuredAtMs = -Infinity;

  return {
    save(kept) {
      const { id } = kept;
      pending.delete(id);
      pending.set(id, kept);
      if (pending.size > maxPending) loseOldest();
      return untilWritten(id, firstAgainMs);
    },
    async find(ownerId, id) {
      const kept = pending.get(id);
      if (kept !== undefined) return kept.owner.id === ownerId ? kept : undefined;
      return await store.find(ownerId, id, clock.wallMs());
    },
    async remove(ownerId, id) {
      if (pending.get(id)?.owner.id === ownerId) pending.delete(id);
      await work;
      return await store.remove(ownerId, id);
    },
    async requireRoom(bytes) {
      if (bytes > bounds.ownerBytes / 4) throw tooLarge();
      const taken = await measure();
      if (taken.bytes + bytes > bounds.totalBytes) throw full();
      taken.bytes += bytes;
    },
    settled: () => work,
  };

  function measure(): Promise<{ bytes: number }> {
    if (measured !== undefined && clock.monotonicMs() - measuredAtMs <= measureEveryMs) return measured;
    measuredAtMs = clock.monotonicMs();
    measured = store.totalBytes().then(
      (bytes) => ({ bytes }),
      (error: unknown) => {
        measured = undefined;
        throw error;
      },
    );
    return measured;
  }

  function loseOldest(): void {
    const [oldest = ''] = pending.keys();
    pending.delete(oldest);
    logger.error(
      { response: oldest },
      'a response was lost: the database takes none, and too many wait for it',
    );
  }

  /** By its id alone: what is lost or written anew meanwhile is not held by its turn. */
  async function untilWritten(id: string, againMs: number): Promise<boolean> {
    const turn = work.then(() => write(id, againMs === firstAgainMs));
    work = turn.then(() => {});
    const written = await turn;
    if (written !== 'again') return written;
    await sleep(againMs, undefined, { ref: false });
    return await untilWritten(id, Math.min(2 * againMs, lastAgainMs));
  }

  /** Told of once, however often it is tried. */
  async function write(id: string, isFirst: boolean): Promise<boolean | 'again'> {
    const kept = pending.get(id);
    if (kept === undefined) return true;
    try {
      await store.keep(kept);
    } catch (error) {
      if (isFirst) logger.error({ error, response: id }, 'a response could not be kept');
      if (pending.get(id) !== kept) return false;
      if (kept.aliveUntil === undefined) return 'again';
      pending.delete(id);
      return false;
    }
    if (pending.get(id) === kept) pending.delete(id);
    await store
      .trim(kept.owner.id, maxCountPerOwner, bounds.ownerBytes)
      .catch((error: unknown) => logger.warn({ error }, 'the oldest responses could not be forgotten'));
    return true;
  }
}

function tooLarge(): Refusal {
  return new Refusal(
    'storage_full',
    'This is too long to be kept. Leave "store" out, and send the earlier turns in "input" instead.',
    { param: 'store' },
  );
}

function full(): Refusal {
  return new Refusal(
    'storage_full',
    'The service has no room left to keep responses. Leave "store" out, and send the earlier turns in "input" instead.',
    { param: 'store' },
  );
}
