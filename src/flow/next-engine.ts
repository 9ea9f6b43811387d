import type { Engines } from '#engines';
import type { Routing } from '#routing';
import type { EngineDefinition } from '#vocabulary/catalogue';
import type { Outcome, ParsedRequest, Route } from '#vocabulary/inference';
import { createHope, type Patience } from './patience.ts';

/** So often a request is given to another engine; one that has lost three may be why. */
const mostMoves = 2;

/** Finds the engine that serves a request after one has failed. */
export interface NextEngine {
  /** Undefined when that was the end. */
  after(route: Route, outcome: Outcome): Promise<Route | undefined>;
}

/**
 * A request with which an engine died before it said a word may have killed it, and no engine of our own gets it again
 * (`takeAnother`). An answer that breaks off in the middle is something else: its prompt has been read without harm,
 * and a step that writes a token is alike for all requests, so that it was rarely the request that killed. So one more
 * engine of our own goes on with it, and no third: whoever does find a way to kill engines in the middle takes two.
 */
export function createNextEngine(
  { routing, engines }: { readonly routing: Routing; readonly engines: Engines },
  request: ParsedRequest,
  patience: Patience | undefined,
): NextEngine {
  /** Engines that had the request in hand before their first word and failed. */
  let failures = 0;
  let areAllCut = true;
  /** Those that were found dead since one had it in hand. */
  const dead = new Set<string>();
  let hope: Patience | undefined;

  return {
    async after(route, outcome) {
      const { begun, retry, isCut } = outcome;
      if (request.exchange.cancellation.isCancelled) return undefined;
      const isFirst = failures === 0 && dead.size === 0;
      if (retry !== 'anywhere') {
        dead.clear();
        hope = undefined;
        if (begun === undefined) {
          failures++;
          areAllCut &&= isCut === true;
        }
      }
      // What a gateway left behind has not been with any engine yet.
      if (begun?.lostEngines.length !== 0 || retry === 'anywhere') dead.add(route.engine.name);
      const isMeant = (engine: EngineDefinition) => mayServe(engine, outcome);
      const maySame = retry === 'anywhere' || (retry === 'once-more' && route.engine.kind !== 'embedded');
      const next = take((engine) => !dead.has(engine.name) && isMeant(engine), isFirst && maySame);
      if (next !== undefined) return next;
      // Where there is one engine only, its callers do not wait until somebody has started it again.
      if (request.model.replicas.length > 1 || patience !== undefined)
        hope ??= patience ?? createHope(routing, request);
      if (hope === undefined || !(await hope.isWellAfterAll(isMeant))) return undefined;
      dead.clear();
      return take(isMeant, false);

      function take(mayBe: (engine: EngineDefinition) => boolean, mayBeSame: boolean): Route | undefined {
        if (begun === undefined) return routing.takeAnother(route, mayBe, mayBeSame);
        const { lostEngines } = begun;
        return (
          routing.takeToGoOn(route, (engine) => !lostEngines.includes(engine.name) && mayBe(engine)) ??
          // One that died under it earlier may be back.
          routing.takeToGoOn(route, (engine) => engine.kind !== 'embedded' && mayBe(engine))
        );
      }
    },
  };

  function mayServe({ kind }: EngineDefinition, { begun }: Outcome): boolean {
    if (begun === undefined)
      return failures === 0 || (kind !== 'embedded' && failures <= (areAllCut ? mostMoves : 1));
    const { length: lost } = begun.lostEngines;
    return lost <= (kind === 'embedded' ? 1 : mostMoves) && engines.canGoOn(kind, request, begun);
  }
}
