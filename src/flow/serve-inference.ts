/**
 * The whole way of a request, top to bottom: identify → receive → admit → take a turn → open → carry → settle. Each room
 * makes the next noun out of the one before; nothing else decides the order. Every exit gives the ticket back and
 * settles the books exactly once, and the end of the answer leaves after its record.
 */
import type { Admission } from '#admission';
import { answerRefusal } from '#dialects/openai-error';
import type { Doors } from '#doors';
import type { Engines } from '#engines';
import type { Relay } from '#relay';
import type { Routing } from '#routing';
import type { Sharing } from '#sharing';
import { createNextEngine, type NextEngine } from './next-engine.ts';
import { EngineFault } from '#vocabulary/engine-fault';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { IncomingRequest, Outcome, ParsedRequest, Route, Turn } from '#vocabulary/inference';
import type { ReceiptDesk } from '#vocabulary/receipts';
import { Refusal } from '#vocabulary/refusal';
import type { TokenUsage } from '#vocabulary/usage';
import type { Bookkeeper, Served } from './bookkeeper.ts';
import { inherit, type Inheritance } from './inheritance.ts';
import { createHope, createPatience, type Hopes } from './patience.ts';
import {
  engineGone,
  failedOutcome,
  givenUp,
  notContinued,
  notWrittenDown,
  refusedByEngine,
  refusedByUs,
  unaccountable,
} from './endings.ts';

export interface Rooms {
  readonly doors: Doors;
  readonly admission: Admission;
  readonly sharing: Sharing;
  readonly routing: Routing;
  readonly engines: Engines;
  readonly relay: Relay;
  readonly receipts: ReceiptDesk;
  readonly bookkeeper: Bookkeeper;
  /** So long a request that is patient waits for an engine. */
  readonly patienceMs: number;
  readonly hopes: Hopes;
}

/** Throws a refusal only before the question is understood; from then on the answer and the books are complete. */
export async function serveInference(
  rooms: Rooms,
  incoming: IncomingRequest,
  inheritance?: Inheritance,
): Promise<void> {
  const identity = rooms.admission.identify(incoming);
  let asked: ParsedRequest;
  try {
    asked = await rooms.doors.receive(incoming, identity);
  } catch (thrown) {
    const modelId = (thrown instanceof Refusal && thrown.modelId) || '';
    rooms.sharing.announceLimits(identity.shareFor(modelId), modelId, incoming.exchange.reply);
    throw thrown;
  }
  const receipt = rooms.receipts.open(asked);
  const request = receipt?.request ?? asked;
  const inherited = inheritance && inherit(rooms.relay, request, inheritance);
  const account = rooms.bookkeeper.open(request, identity.caller, inherited !== undefined);
  const patience = incoming.isPatient ? createPatience(rooms, request, inherited !== undefined) : undefined;
  /** An engine was given up that may still be reading. */
  let isBodyOnItsWay = false;
  // Not `using`, here and below: a function that says it is not optimised, and everybody passes here.
  const heartbeat = rooms.relay.keepAlive(request);
  try {
    const ticket = rooms.admission.admit(request, identity);
    try {
      const { outcome, served } = await serveInTurn();
      await settle(outcome, served);
      if (!isBodyOnItsWay) request.exchange.forgetBody?.(request.envelope.body);
    } finally {
      ticket[Symbol.dispose]();
    }
  } catch (thrown) {
    const refusal = thrown instanceof Refusal ? thrown : rooms.bookkeeper.noteBug(thrown, request);
    incoming.onRefused?.(refusal);
    await settle({ ...refusedByUs(refusal, request), refusal }, undefined);
  } finally {
    heartbeat[Symbol.dispose]();
  }

  /** The turn is over, and the place free for others, before the record is on its way to the disk. */
  async function serveInTurn(): Promise<{ outcome: Outcome; served: Served }> {
    const take = () => rooms.sharing.takeTurn(request, heartbeat, inherited !== undefined);
    const turn = await (patience?.takeTurn(take) ?? takeInHope(take));
    try {
      if (!(await account.isOpened)) throw unaccountable();
      const { outcome, engineName } = await serveTurn(turn);
      turn.settle(outcome.usage);
      return { outcome, served: servedBy(engineName, turn) };
    } finally {
      turn[Symbol.dispose]();
    }
  }

  async function takeInHope(take: () => Promise<Turn>): Promise<Turn> {
    try {
      return await take();
    } catch (thrown) {
      const isAway = thrown instanceof Refusal && thrown.code === 'engine_unavailable';
      if (!isAway || !rooms.routing.mayBeBack(request.model.id)) throw thrown;
      return await hopeFor(take, thrown);
    }
  }

  async function hopeFor(take: () => Promise<Turn>, refusal: Refusal): Promise<Turn> {
    using place = rooms.hopes.enter(request.share.memberId);
    if (place === undefined) throw refusal;
    return await createHope(rooms.routing, request).takeTurn(take);
  }

  /** On another engine where that can do no harm: once more from the beginning, or on from where one died. */
  async function serveTurn(turn: Turn): Promise<{ outcome: Outcome; engineName: string }> {
    const taken: Route[] = [];
    try {
      let route = turn.route;
      let outcome = inherited?.outcome ?? (await attempt(route, turn, undefined));
      let others: NextEngine | undefined;
      while (outcome.begun !== undefined || outcome.retry !== 'never') {
        others ??= createNextEngine(rooms, request, patience);
        const next = await others.after(route, outcome);
        if (next === undefined) {
          outcome = inTheEnd(givenUp(outcome, request));
          break;
        }
        taken.push(next);
        route = next;
        outcome = await attempt(route, turn, outcome);
      }
      return { outcome, engineName: route.engine.name };
    } finally {
      for (const route of taken) route[Symbol.dispose]();
    }
  }

  function inTheEnd(outcome: Outcome): Outcome {
    return outcome.retry === 'never'
      ? outcome
      : { ...outcome, refusal: outcome.refusal ?? engineGone(request) };
  }

  async function attempt(route: Route, turn: Turn, before: Outcome | undefined): Promise<Outcome> {
    let begun = before?.begun;
    let outcome: Outcome;
    try {
      if (begun !== undefined) begun = await rooms.engines.prepared(route, begun);
      outcome = await carry(route, turn, begun);
      if (outcome.isContradicted === true && begun !== undefined) {
        begun = { ...begun, seen: undefined, isReplayed: false };
        outcome = await carry(route, turn, begun);
      }
    } catch (thrown) {
      isBodyOnItsWay = true;
      if (before !== undefined && begun !== undefined) outcome = notContinued(route, before, begun, thrown);
      else if (thrown instanceof EngineFault) outcome = failedOutcome(thrown, request);
      else if (thrown instanceof Refusal) outcome = refusedByEngine(thrown);
      else throw thrown;
    }
    if (outcome.engineFault !== undefined) rooms.routing.failed(route, outcome.engineFault);
    else if (outcome.ending === 'completed') rooms.routing.succeeded(route.engine.name);
    return outcome;
  }

  async function carry(route: Route, turn: Turn, begun: BegunAnswer | undefined): Promise<Outcome> {
    const stream = await rooms.engines.open(route, begun);
    const follow = (readUsage: () => TokenUsage) =>
      account.follow(servedBy(route.engine.name, turn), inherited?.ownPart(readUsage, begun) ?? readUsage);
    const carried = await rooms.relay.carry(stream, route, heartbeat, turn.waitMs, follow, begun);
    isBodyOnItsWay ||= !stream.hasLetGo;
    return inherited?.withOwnPart(carried, begun) ?? carried;
  }

  async function settle(outcome: Outcome, served: Served | undefined): Promise<void> {
    const facts = served === undefined ? undefined : receipt?.write(outcome, served.engineName);
    const hasLeft = await account.settle(outcome, served, facts);
    if (!hasLeft) answer(notWrittenDown());
    else if (outcome.refusal !== undefined) answer(outcome.refusal);
    else outcome.sendEnd();
  }

  function answer(refusal: Refusal): void {
    const { cancellation, reply } = request.exchange;
    if (cancellation.reason !== 'caller-left') answerRefusal(reply, refusal);
  }
}

function servedBy(engineName: string, turn: Turn): Served {
  return { engineName, waitMs: turn.waitMs, readCost: () => turn.cost };
}
