import { setTimeout as sleep } from 'node:timers/promises';
import type { Engines } from '#engines';
import type { Routing } from '#routing';
import type { EngineDefinition } from '#vocabulary/catalogue';
import type { Outcome, ParsedRequest, Route, Turn } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { mayGoOnAt } from './next-engine.ts';

/** How a request waits for an engine where none is there. */
export interface Patience {
  /** Takes a turn as soon as an engine could serve it. */
  takeTurn(take: () => Promise<Turn>): Promise<Turn>;
  /** The engine that serves it after those that were there have failed; undefined when none comes, or none could. */
  takeEngine(route: Route, outcome: Outcome): Promise<Route | undefined>;
}

export interface PatienceParts {
  readonly routing: Routing;
  readonly engines: Engines;
  /** So long in all. */
  readonly patienceMs: number;
}

const lookEveryMs = 500;

export function createPatience(
  { routing, engines, patienceMs }: PatienceParts,
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
    async takeEngine(route, { begun, retry }) {
      if (begun === undefined)
        return retry === 'anywhere' && (await isWellAfterAll())
          ? routing.takeAnother(route, retry)
          : undefined;
      const mayGoOn = (engine: EngineDefinition) => mayGoOnAt(engines, engine, request, begun);
      return (await isWellAfterAll(mayGoOn)) ? routing.takeToGoOn(route, mayGoOn) : undefined;
    },
  };

  async function isWellAfterAll(isMeant?: (engine: EngineDefinition) => boolean): Promise<boolean> {
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
