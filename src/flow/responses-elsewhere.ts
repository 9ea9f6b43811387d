import { setTimeout as sleep } from 'node:timers/promises';
import type { Responses } from '#responses';
import type { Exchange } from '#vocabulary/exchange';
import type { PeerCalls, PeerService } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import type { ResponseOwner } from '#vocabulary/response-store';
import { answerWithJson } from './answer-with-json.ts';
import { followEvents } from './follow-events.ts';
import { frameNumbers, handThrough, handThroughNumbered } from './hand-through.ts';

interface ElsewhereRooms {
  readonly responses: Responses;
  readonly calls: PeerCalls | undefined;
}

/** From whichever gateway writes it, and from the next one where that dies. */
export async function readEvents(
  rooms: ElsewhereRooms,
  exchange: Exchange,
  owner: ResponseOwner,
  id: string,
  startingAfter: number,
): Promise<void> {
  let after = startingAfter;
  const isGiven = await askElsewhere(rooms, exchange, owner, id, async (calls) => {
    const path = `responses/${id}/events`;
    const call = { method: 'GET' as const, path, query: { owner: owner.id, after: String(after) } };
    const passed = await handThroughNumbered(calls, exchange, call, frameNumbers.response);
    if (typeof passed !== 'string') after = passed.brokenAfter ?? after;
    return passed === 'whole';
  });
  if (!isGiven) followEvents(exchange, await rooms.responses.readEvents(owner, id), after);
}

export async function isCancelledElsewhere(
  rooms: ElsewhereRooms,
  exchange: Exchange,
  owner: ResponseOwner,
  id: string,
): Promise<boolean> {
  const call = { method: 'POST' as const, path: `responses/${id}/cancel`, query: { owner: owner.id } };
  return await askElsewhere(rooms, exchange, owner, id, (calls) => handThrough(calls, exchange, call));
}

/** So long somebody may take to go on with a response whose gateway died, and so often one looks for them. */
const heirLooks = 50;
const lookAgainMs = 200;

/** Asks other gateways as long as one of them should be writing it. False when it is written here, or by nobody. */
async function askElsewhere(
  { responses, calls }: ElsewhereRooms,
  { cancellation }: Exchange,
  owner: ResponseOwner,
  id: string,
  ask: (calls: PeerCalls) => Promise<boolean>,
): Promise<boolean> {
  if (calls === undefined) return false;
  for (let looks = 0; looks < heirLooks && !cancellation.isCancelled; looks++) {
    if (looks > 0) await sleep(lookAgainMs);
    if (!(await responses.isWrittenElsewhere(owner, id))) return false;
    if (await ask(calls)) return true;
  }
  return false;
}

export async function forgetElsewhere(
  { responses, calls }: ElsewhereRooms,
  owner: ResponseOwner,
  id: string,
): Promise<void> {
  if (calls === undefined || !(await responses.isWrittenElsewhere(owner, id))) return;
  const path = `responses/${id}/forget`;
  const { signal } = new AbortController();
  const asked = calls
    .gateways()
    .map((gatewayId) => calls.ask(gatewayId, { method: 'POST', path, query: { owner: owner.id }, signal }));
  await Promise.all(asked);
}

/** For other gateways, whose readers they are. */
export function responsesForPeers({ responses }: Pick<ElsewhereRooms, 'responses'>): PeerService {
  return ({ exchange, id, verb, query }) => {
    const run = responses.findRun(query.get('owner') ?? '', id);
    if (run === undefined) throw new Refusal('not_found', 'This gateway writes no such response.');
    if (verb === 'events') {
      followEvents(exchange, run.log, Number(query.get('after')));
      return;
    }
    if (verb === 'forget') run.forget();
    else run.cancel();
    answerWithJson(exchange, run.current);
  };
}
