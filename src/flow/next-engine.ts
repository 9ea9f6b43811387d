import type { Engines } from '#engines';
import type { Routing } from '#routing';
import type { EngineDefinition } from '#vocabulary/catalogue';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { Outcome, ParsedRequest, Route } from '#vocabulary/inference';

/** So often an answer goes on elsewhere; an answer that has lost three engines may be why. */
const mostContinuations = 2;

/**
 * The engine that serves a request after one has failed; undefined when that was the end.
 *
 * A request with which an engine died before it said a word may have killed it, and no engine of our own gets it again
 * (`takeAnother`). An answer that breaks off in the middle is something else: its prompt has been read without harm,
 * and a step that writes a token is alike for all requests, so that it was rarely the request that killed. So one more
 * engine of our own goes on with it, and no third: whoever does find a way to kill engines in the middle takes two.
 */
export function takeNextEngine(
  { routing, engines }: { readonly routing: Routing; readonly engines: Engines },
  route: Route,
  outcome: Outcome,
  failures: number,
): Route | undefined {
  const { begun, retry } = outcome;
  if (begun === undefined) {
    const mayRetry = retry !== 'never' && failures === 1;
    return mayRetry ? routing.takeAnother(route, retry) : undefined;
  }
  const { request } = route;
  const { lostEngines } = begun;
  if (request.exchange.cancellation.isCancelled) return undefined;
  const mayGoOn = (engine: EngineDefinition) => mayGoOnAt(engines, engine, request, begun);
  const untouched = routing.takeToGoOn(
    route,
    (engine) => !lostEngines.includes(engine.name) && mayGoOn(engine),
  );
  // One that died under it earlier may be back; the last one has not been looked at yet.
  return (
    untouched ??
    routing.takeToGoOn(
      route,
      (engine) => engine.name !== lostEngines.at(-1) && engine.kind !== 'embedded' && mayGoOn(engine),
    )
  );
}

export function mayGoOnAt(
  engines: Engines,
  { kind }: EngineDefinition,
  request: ParsedRequest,
  begun: BegunAnswer,
): boolean {
  const { length: lost } = begun.lostEngines;
  return lost <= (kind === 'embedded' ? 1 : mostContinuations) && engines.canGoOn(kind, request, begun);
}
