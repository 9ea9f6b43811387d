import type { Admission } from '#admission';
import type { Continuity, WitnessBook, Witnesses } from '#continuity';
import type { KeyCaller } from '#vocabulary/caller';
import type { PeerCalls, PeerService } from '#vocabulary/peers';
import { type BodyLimit, exchangeWith } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import { handThroughNumbered } from './hand-through.ts';

export interface StreamRooms {
  readonly admission: Admission;
  readonly continuity: Continuity;
  readonly openMemory: (address: string) => MemoryShare & Disposable;
  /** The other gateways, where there can be any. */
  readonly calls: PeerCalls | undefined;
  /** Those of them that go on with what this one writes, and what of theirs this one knows. */
  readonly witnesses: Witnesses;
  readonly witnessed: Pick<WitnessBook, 'settled'>;
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
  const id = /^streams\/([\w-]{1,64})$/.exec(asked)?.[1];
  if (id !== undefined && exchange.method === 'GET') {
    return resume(rooms, incoming, id);
  }
  const wish = exchange.headers['gatehouse-resume'];
  return wish === undefined || exchange.method !== 'POST'
    ? serve(incoming)
    : outlast(rooms, incoming, readSeconds(wish), serve);
}

/** Of this gateway, or of the one that has it. */
async function resume(
  { admission, continuity, calls, witnessed }: StreamRooms,
  incoming: IncomingRequest,
  id: string,
): Promise<void> {
  const { exchange } = incoming;
  let after = readNumber(String(exchange.headers['last-event-id'] ?? 0), 'Last-Event-ID');
  const { personId } = ownerOf(admission, incoming);
  for (let deaths = 0; deaths < mostDeaths && !continuity.keeps(id, personId); deaths++) {
    const call = {
      method: 'GET' as const,
      path: `streams/${id}`,
      query: { person: personId, after: String(after) },
    };
    const passed = await handThroughNumbered(calls, exchange, call);
    if (passed === 'whole') return;
    await witnessed.settled(id, personId, decisionMs);
    if (passed === 'nobody has it') break;
    after = passed.brokenAfter ?? after;
  }
  continuity.resume(id, personId, after, exchange);
}

/** So often a reader goes on with another gateway. */
const mostDeaths = 10;
/** So long a reader waits for the decision who goes on with an answer whose gateway may have died. */
const decisionMs = 2500;

/** For another gateway, whose reader it is. */
export function resumeForPeers({
  continuity,
  witnessed,
}: Pick<StreamRooms, 'continuity' | 'witnessed'>): PeerService {
  return async ({ exchange, id, query }) => {
    const personId = query.get('person') ?? '';
    if (!continuity.keeps(id, personId)) await witnessed.settled(id, personId, decisionMs);
    continuity.resume(id, personId, Number(query.get('after')), exchange);
  };
}

/** The same way as any other request, only that its answer does not end with its connection. */
async function outlast(
  rooms: StreamRooms,
  incoming: IncomingRequest,
  seconds: number,
  serve: Serve,
): Promise<void> {
  const owner = ownerOf(rooms.admission, incoming);
  using memory = rooms.openMemory(incoming.address);
  const { exchange, address, isAddressCertain, asked } = incoming;
  const { requestId: id } = exchange;
  const { keyId, personId } = owner;
  const beginning = { id, keyId, personId, address, isAddressCertain, asked, seconds, lostGateways: 0 };
  let body: Buffer = Buffer.alloc(0);
  const reply = rooms.continuity.open({
    id,
    owner,
    seconds,
    reader: exchange,
    tell: (headers, log) => rooms.witnesses.tell(beginning, body, headers, log),
  });
  const readBody = async (limit?: BodyLimit) => (body = await exchange.readBody(limit));
  const { cancellation } = reply;
  await serve({ ...incoming, exchange: exchangeWith(exchange, { reply, cancellation, memory, readBody }) });
}

function ownerOf(admission: Admission, incoming: IncomingRequest): KeyCaller {
  const { caller } = admission.identify(incoming);
  if (caller.kind !== 'key') throw new Error('Whoever comes by the proxy door has a key.');
  return caller;
}

function readSeconds(value: string | string[]): number {
  return readNumber(String(value), 'Gatehouse-Resume');
}

function readNumber(value: string, name: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new Refusal('invalid_parameter', `The header \`${name}\` must be a whole number.`, { param: name });
}
