import type { Admission } from '#admission';
import {
  type Continuity,
  forgottenBeginning,
  type NameClaims,
  namedAnswerId,
  questionDigest,
  type WitnessBook,
  type Witnesses,
} from '#continuity';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerRefusal } from '#dialects/openai-error';
import type { KeyCaller } from '#vocabulary/caller';
import type { PeerCalls, PeerService } from '#vocabulary/peers';
import { type BodyLimit, exchangeWith } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import { handThroughNumbered } from './hand-through.ts';
import { readPosition, readResumeWish } from './resume-wish.ts';

export interface StreamRooms {
  readonly admission: Admission;
  readonly continuity: Continuity;
  readonly openMemory: (address: string) => MemoryShare & Disposable;
  /** The other gateways, where there can be any. */
  readonly calls: PeerCalls | undefined;
  /** Those of them that go on with what this one writes, and what of theirs this one knows. */
  readonly witnesses: Witnesses;
  readonly witnessed: Pick<WitnessBook, 'settled'>;
  /** Names under which this gateway is about to begin an answer. */
  readonly claims: NameClaims;
}

type Serve = (incoming: IncomingRequest) => Promise<void> | undefined;

/** Everything that has to do with readers who are cut off and come back; all others are served as they come. */
export function serveStreams(
  rooms: StreamRooms,
  incoming: IncomingRequest,
  serve: Serve,
): Promise<void> | undefined {
  const { asked, exchange, door } = incoming;
  if (door !== 'proxy') return serve(incoming);
  const id = exchange.method === 'GET' ? /^streams\/([\w-]{1,64})$/.exec(asked)?.[1] : undefined;
  if (id !== undefined) return resume(rooms, incoming, id);
  const header = exchange.headers['gatehouse-resume'];
  if (header === undefined || exchange.method !== 'POST') return serve(incoming);
  const { seconds, name } = readResumeWish(String(header));
  if (name !== undefined) return serveNamed(rooms, incoming, { seconds, name }, serve);
  return outlast(rooms, incoming, { id: exchange.requestId, seconds }, serve);
}

/** Of this gateway, or of the one that has it; by the id of its request, or by its name. */
async function resume(rooms: StreamRooms, incoming: IncomingRequest, given: string): Promise<void> {
  const { exchange } = incoming;
  const owner = ownerOf(rooms.admission, incoming);
  const after = readPosition(exchange.headers);
  const named = namedAnswerId(owner.keyId, given);
  for (const id of [given, named]) {
    let rest = await findRest(rooms, incoming, { id, owner, after });
    while (rest !== 'given' && rest.isAwaited && !exchange.cancellation.isCancelled) {
      await sleep(lookAgainMs);
      rest = await findRest(rooms, incoming, { id, owner, after });
    }
    if (rest === 'given') return;
    if (rest.isKept || id === named) {
      rooms.continuity.resume(id, owner.personId, rest.after, exchange);
      return;
    }
  }
}

/**
 * Whoever names an answer asks for it as often as they like, at whatever gateway, and gets one and the same: from its
 * beginning, or from the frame after `Last-Event-ID` on.
 */
async function serveNamed(
  rooms: StreamRooms,
  incoming: IncomingRequest,
  { seconds, name }: { readonly seconds: number; readonly name: string },
  serve: Serve,
): Promise<void> {
  const { exchange, asked } = incoming;
  const { continuity, claims } = rooms;
  const owner = ownerOf(rooms.admission, incoming);
  const id = namedAnswerId(owner.keyId, name);
  let after = readPosition(exchange.headers);
  const body = await exchange.readBody();
  const question = questionDigest(asked, body);
  const again = { ...incoming, exchange: exchangeWith(exchange, { readBody: async () => body }) };
  while (!exchange.cancellation.isCancelled) {
    using claim = claims.make(id, exchange.requestId);
    if (claim !== undefined) {
      const rest = await findRest(rooms, incoming, { id, owner, after, question, isClaimed: true });
      if (rest === 'given') return;
      after = rest.after;
      if (rest.isKept) {
        continuity.resume(id, owner.personId, after, exchange, question);
        return;
      }
      if (!rest.isAwaited) {
        // The answer of which they have read that much is lost: nothing else would go with it.
        if (after > 0) throw forgottenBeginning();
        // From here until it is found under its name nothing is waited for.
        await outlast(rooms, again, { id, seconds, question }, serve, () => claim[Symbol.dispose]());
        return;
      }
    }
    await sleep(lookAgainMs);
  }
}

interface Sought {
  readonly id: string;
  readonly owner: KeyCaller;
  readonly after: number;
  readonly question?: string;
  /** This gateway would begin it if nobody has. */
  readonly isClaimed?: boolean;
}

interface Found {
  readonly isKept: boolean;
  /** Somebody has been asked for it, and has not begun. */
  readonly isAwaited: boolean;
  readonly after: number;
}

/** Gives what another gateway has of it, and goes on with another one where that dies, until it is here or nowhere. */
async function findRest(
  { continuity, calls, witnessed }: StreamRooms,
  { exchange }: IncomingRequest,
  { id, owner, question, isClaimed, ...sought }: Sought,
): Promise<'given' | Found> {
  const { personId } = owner;
  let { after } = sought;
  let isAwaited = false;
  let deaths = 0;
  let patientUntilMs = 0;
  while (deaths < mostDeaths && !continuity.keeps(id, personId)) {
    const call = {
      method: 'GET' as const,
      path: `streams/${id}`,
      query: {
        person: personId,
        after: String(after),
        ...(question !== undefined && { question }),
        ...(isClaimed === true && { claim: exchange.requestId }),
      },
    };
    const passed = await handThroughNumbered(calls, exchange, call);
    if (passed === 'whole') return 'given';
    isAwaited = passed === 'not begun';
    if (typeof passed !== 'string') {
      // Whoever goes on with it may have it already.
      after = passed.brokenAfter ?? after;
      deaths++;
      patientUntilMs = performance.now() + patienceMs;
      continue;
    }
    await witnessed.settled(id, personId, decisionMs);
    if (performance.now() > patientUntilMs || exchange.cancellation.isCancelled) break;
    await sleep(lookAgainMs);
  }
  return { isKept: continuity.keeps(id, personId), isAwaited, after };
}

/** So often a reader goes on with another gateway. */
const mostDeaths = 10;
/** So long a reader waits for the decision who goes on with an answer whose gateway may have died. */
const decisionMs = 2500;
/** So long a reader who was cut off in the middle stays until somebody has the rest, on machines with too much to do. */
const patienceMs = 10_000;
/** So often a gateway looks whether an answer that another one has been asked for has begun. */
const lookAgainMs = 100;

/** For another gateway, whose reader it is. */
export function resumeForPeers({
  continuity,
  witnessed,
  claims,
}: Pick<StreamRooms, 'continuity' | 'witnessed' | 'claims'>): PeerService {
  return async ({ exchange, id, query }) => {
    const personId = query.get('person') ?? '';
    if (!continuity.keeps(id, personId)) {
      if (claims.judge(id, query.get('claim') ?? undefined) === 'wait') return answerNotBegun();
      await witnessed.settled(id, personId, decisionMs);
    }
    if (continuity.keeps(id, personId) && continuity.isAwaited(id)) return answerNotBegun();
    const question = query.get('question') ?? undefined;
    continuity.resume(id, personId, Number(query.get('after')), exchange, question);

    function answerNotBegun(): void {
      exchange.reply.begin(202, ['content-length', '0']);
      exchange.reply.end();
    }
  };
}

/** The same way as any other request, only that its answer does not end with its connection. */
async function outlast(
  rooms: StreamRooms,
  incoming: IncomingRequest,
  { id, seconds, question }: { readonly id: string; readonly seconds: number; readonly question?: string },
  serve: Serve,
  onOpened = () => {},
): Promise<void> {
  const owner = ownerOf(rooms.admission, incoming);
  using memory = rooms.openMemory(incoming.address);
  const { exchange, address, isAddressCertain, asked } = incoming;
  const { keyId, personId } = owner;
  const whose = { id, keyId, personId, address, isAddressCertain, asked };
  const begunAs = exchange.requestId;
  const beginning = { ...whose, seconds, question, begunAs, lostGateways: 0 };
  let body: Buffer = Buffer.alloc(0);
  const reply = rooms.continuity.open({
    id,
    owner,
    seconds,
    question,
    reader: exchange,
    tell: (headers, log) => rooms.witnesses.tell(beginning, body, headers, log),
  });
  onOpened();
  const readBody = async (limit?: BodyLimit) => (body = await exchange.readBody(limit));
  const { cancellation } = reply;
  try {
    const outlasting = exchangeWith(exchange, { reply, cancellation, memory, readBody });
    await serve({ ...incoming, exchange: outlasting, begunAs });
  } catch (thrown) {
    // Whoever reads it by now need not be whoever asked first.
    if (question === undefined || !(thrown instanceof Refusal) || reply.hasBegun) throw thrown;
    answerRefusal(reply, thrown);
  } finally {
    if (!reply.hasBegun) reply.forget();
  }
}

function ownerOf(admission: Admission, incoming: IncomingRequest): KeyCaller {
  const { caller } = admission.identify(incoming);
  if (caller.kind !== 'key') throw new Error('Whoever comes by the proxy door has a key.');
  return caller;
}
