import type { JsonObject } from '#dialects/json-object';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { AbandonedResponse, ResponseStore } from '#vocabulary/response-store';

/** What becomes of responses whose process has died, and with which nobody goes on. */
export interface Abandoned {
  /** Ends those that had time enough to find somebody who goes on with them. */
  endLost(): Promise<void>;
  /** Whether somebody may still go on with it. */
  isAwaited(id: string): Promise<boolean>;
  /** Ends one of them at the wish of its owner. Undefined when it is not abandoned. */
  cancel(id: string): Promise<JsonObject | undefined>;
}

export function createAbandoned(parts: {
  readonly store: ResponseStore;
  /** So long others have to go on with them. */
  readonly heirsMs: number;
  readonly hasHeir: (id: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}): Abandoned {
  const { store, heirsMs, hasHeir, clock, logger } = parts;
  /** Since when each is known to be abandoned. */
  let known = new Map<string, number>();

  return {
    async endLost() {
      const now = clock.monotonicMs();
      const still = new Map<string, number>();
      for (const one of await store.findAbandoned()) {
        const key = `${one.id} ${one.writerId}`;
        const since = known.get(key) ?? now;
        if (now - since < heirsMs || hasHeir(one.id)) still.set(key, since);
        else if ((await conclude(one, lostChange)) !== undefined)
          logger.warn(
            { response: one.id },
            'a response was lost: the process that wrote it has died, and nobody goes on with it',
          );
      }
      known = still;
    },
    isAwaited: async (id) => (await store.findAbandoned(id)).length > 0,
    async cancel(id) {
      const [found] = await store.findAbandoned(id);
      return found && (await conclude(found, { status: 'cancelled', error: null }));
    },
  };

  async function conclude(
    { id, response: before, writerId }: AbandonedResponse,
    change: JsonObject,
  ): Promise<JsonObject | undefined> {
    const response = { ...(JSON.parse(before) as JsonObject), ...change };
    const isConcluded = await store.conclude({ id, response: JSON.stringify(response) }, writerId);
    return isConcluded ? response : undefined;
  }
}

/** A response that nobody writes any more. */
export const lostChange: JsonObject = {
  status: 'failed',
  error: {
    code: 'server_error',
    message:
      'The gateway that was writing this response was stopped or died, and nobody could go on with it. Send the request again.',
  },
};
