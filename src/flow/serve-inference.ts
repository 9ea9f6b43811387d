/**
 * The whole way of a request, top to bottom: identify → receive → admit → choose → open → carry → settle. Each room
 * makes the next noun out of the one before; nothing else decides the order. Every exit gives the ticket back and
 * settles the books exactly once.
 */
import type { Admission } from '#admission';
import { answerRefusal } from '#dialects/openai-error';
import type { Doors } from '#doors';
import type { Engines } from '#engines';
import type { Relay } from '#relay';
import type { Routing } from '#routing';
import { EngineFault } from '#vocabulary/engine-fault';
import type { Outcome, Route, Ticket, Visit } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { type Bookkeeper, engineGone, failedOutcome, refusedByEngine, refusedByUs } from './books.ts';

export interface Rooms {
  readonly doors: Doors;
  readonly admission: Admission;
  readonly routing: Routing;
  readonly engines: Engines;
  readonly relay: Relay;
  readonly bookkeeper: Bookkeeper;
}

/** Throws a refusal only before the question is understood; from then on the answer and the books are complete. */
export async function serveInference(rooms: Rooms, visit: Visit): Promise<void> {
  const identity = rooms.admission.identify(visit);
  const arrival = await rooms.doors.receive(visit, identity);
  const books = rooms.bookkeeper.open(arrival, identity.caller);
  using beat = rooms.relay.keepAlive(arrival);
  try {
    using ticket = await rooms.admission.admit(arrival, identity);
    const { outcome, route } = await serveTicket(ticket);
    books.settle(outcome, route);
    if (outcome.refusal !== undefined) answer(outcome.refusal);
  } catch (thrown) {
    const refusal = thrown instanceof Refusal ? thrown : rooms.bookkeeper.noteBug(thrown, arrival);
    books.settle(refusedByUs(refusal, arrival), undefined);
    answer(refusal);
  }

  /** Once more, elsewhere if possible, when the first engine failed before the caller saw anything of the answer. */
  async function serveTicket(ticket: Ticket): Promise<{ outcome: Outcome; route: Route }> {
    const route = rooms.routing.choose(ticket);
    const outcome = await attempt(route);
    if (!outcome.isRetryable) return { outcome, route };
    const other = rooms.routing.chooseAgain(ticket);
    const second = await attempt(other);
    return {
      outcome: second.isRetryable ? { ...second, refusal: engineGone(arrival) } : second,
      route: other,
    };
  }

  async function attempt(route: Route): Promise<Outcome> {
    const outcome = await openAndCarry(route);
    if (outcome.engineFault !== undefined) rooms.routing.failed(route.engine.name, outcome.engineFault);
    else if (outcome.ending === 'completed') rooms.routing.succeeded(route.engine.name);
    return outcome;
  }

  async function openAndCarry(route: Route): Promise<Outcome> {
    try {
      const stream = await rooms.engines.open(route);
      return await rooms.relay.carry(stream, route, beat);
    } catch (thrown) {
      if (thrown instanceof EngineFault) return failedOutcome(thrown, route);
      if (thrown instanceof Refusal) return refusedByEngine(thrown);
      throw thrown;
    }
  }

  function answer(refusal: Refusal): void {
    if (visit.exchange.departure.reason !== 'caller-left') answerRefusal(visit.exchange.reply, refusal);
  }
}
