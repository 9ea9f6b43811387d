import { setTimeout as sleep } from 'node:timers/promises';
import type { Routing } from '#routing';
import type { EngineDefinition } from '#vocabulary/catalogue';
import type { ParsedRequest, Turn } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';

/** So long a request with a caller in front of it waits for an engine, where several have just died or are just back. */
const hopeMs = 10_000;

/** How a request waits for an engine where none is there. */
export interface Patience {
  /** Takes a turn as soon as an engine could serve it. */
  takeTurn(take: () => Promise<Turn>): Promise<Turn>;
  /** After those that were there have failed: whether one of these engines, or any, is well again in time. */
  isWellAfterAll(isMeant?: (engine: EngineDefinition) => boolean): Promise<boolean>;
}

export interface PatienceParts {
  readonly routing: Routing;
  /** So long in all. */
  readonly patienceMs: number;
}

const lookEveryMs = 500;

/** Those who wait outside of the line, because no engine has a place to wait for: bounded as the line is. */
export interface Hopes {
  /** Undefined when so many of this member wait already, or of all. */
  enter(memberId: string): Disposable | undefined;
}

export function createHopes(limits: {
  readonly maxWaiting: number;
  readonly maxWaitingPerMember: number;
}): Hopes {
  const waiting = new Map<string, number>();
  let total = 0;
  const change = (memberId: string, by: 1 | -1) => {
    const count = (waiting.get(memberId) ?? 0) + by;
    total += by;
    if (count === 0) waiting.delete(memberId);
    else waiting.set(memberId, count);
  };
  return {
    enter(memberId) {
      if (total >= limits.maxWaiting || (waiting.get(memberId) ?? 0) >= limits.maxWaitingPerMember)
        return undefined;
      change(memberId, 1);
      return { [Symbol.dispose]: () => change(memberId, -1) };
    },
  };
}

/** For whoever is not patient, but need not hear of an engine that is back in a moment. */
export function createHope(routing: Routing, request: ParsedRequest): Patience {
  return createPatience({ routing, patienceMs: hopeMs }, request, false);
}

export function createPatience(
  { routing, patienceMs }: PatienceParts,
  request: ParsedRequest,
  isInherited: boolean,
): Patience {
  const { cancellation } = request.exchange;
  const untilMs = performance.now() + patienceMs;

  return {
    async takeTurn(take) {
      // When a machine has just been started, nobody has looked at its engines yet.
      if (isInherited) await isWellInTime();
      for (;;)
        try {
          return await take();
        } catch (thrown) {
          const isAway = thrown instanceof Refusal && thrown.code === 'engine_unavailable';
          if (!isAway || !(await isWellAfterAll())) throw thrown;
        }
    },
    isWellAfterAll,
  };

  async function isWellAfterAll(isMeant = (_engine: EngineDefinition) => true): Promise<boolean> {
    if (routing.outlook(request.model.id, isMeant) === 'none') return false;
    await sleep(lookEveryMs, undefined, { ref: false });
    return await isWellInTime(isMeant);
  }

  async function isWellInTime(isMeant = (_engine: EngineDefinition) => true): Promise<boolean> {
    while (!cancellation.isCancelled && performance.now() < untilMs) {
      const outlook = routing.outlook(request.model.id, isMeant);
      if (outlook !== 'awaited') return outlook === 'well';
      await sleep(lookEveryMs, undefined, { ref: false });
    }
    return false;
  }
}
