import type { Admission } from '#admission';
import type { Continuity } from '#continuity';
import type { KeyCaller } from '#vocabulary/caller';
import type { PeerCalls, PeerService } from '#vocabulary/peers';
import { exchangeWith } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import { handThrough } from './hand-through.ts';

export interface StreamRooms {
  readonly admission: Admission;
  readonly continuity: Continuity;
  readonly openMemory: (address: string) => MemoryShare & Disposable;
  /** The other gateways, where there can be any. */
  readonly calls: PeerCalls | undefined;
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
  { admission, continuity, calls }: StreamRooms,
  incoming: IncomingRequest,
  id: string,
): Promise<void> {
  const { exchange } = incoming;
  const after = readNumber(String(exchange.headers['last-event-id'] ?? 0), 'Last-Event-ID');
  const { personId } = ownerOf(admission, incoming);
  if (calls !== undefined && !continuity.keeps(id, personId)) {
    const query = { person: personId, after: String(after) };
    if (await handThrough(calls, exchange, { method: 'GET', path: `streams/${id}`, query })) return;
  }
  continuity.resume(id, personId, after, exchange);
}

/** For another gateway, whose reader it is. */
export function resumeForPeers({ continuity }: Pick<StreamRooms, 'continuity'>): PeerService {
  return ({ exchange, id, query }) =>
    continuity.resume(id, query.get('person') ?? '', Number(query.get('after')), exchange);
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
  const { exchange } = incoming;
  const reply = rooms.continuity.open({ id: exchange.requestId, owner, seconds, reader: exchange });
  const { cancellation } = reply;
  await serve({ ...incoming, exchange: exchangeWith(exchange, { reply, cancellation, memory }) });
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
