import { readEnvelope, readValue, spliceEnvelope } from '#dialects/envelope';
import type { Responses } from '#responses';
import { type Exchange, exchangeWith } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { MemoryShare } from '#vocabulary/memory-share';
import type { PeerCalls, PeerService } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import { responseOwner } from '#vocabulary/response-shelf';
import type { ResponseOwner } from '#vocabulary/response-store';
import { followEvents } from './follow-events.ts';
import { handThrough } from './hand-through.ts';
import { type Rooms, serveInference } from './serve-inference.ts';

export interface ResponseRooms extends Rooms {
  readonly responses: Responses;
  readonly openMemory: (address: string) => MemoryShare & Disposable;
  /** The other gateways, where there can be any. */
  readonly calls: PeerCalls | undefined;
  readonly logger: Logger;
}

/** Everything about responses that is more than one question and its answer. Undefined: it is not about them. */
export function serveResponses(rooms: ResponseRooms, incoming: IncomingRequest): Promise<void> | undefined {
  const { asked, exchange } = incoming;
  if (asked === 'responses') return exchange.method === 'POST' ? create(rooms, incoming) : undefined;
  const match = /^responses\/(resp_\w{1,100})(?:\/(cancel|input_items))?$/.exec(asked);
  return match?.[1] === undefined ? undefined : serveKept(rooms, incoming, match[1], match[2]);
}

/** A question in the background goes the same way as any other, only that nobody has to wait for it. */
async function create(rooms: ResponseRooms, incoming: IncomingRequest): Promise<void> {
  const { exchange } = incoming;
  const owner = ownerOf(rooms, incoming);
  const body = await exchange.readBody();
  const inBackground = backgroundBody(body);
  if (inBackground === undefined) {
    const again = exchangeWith(exchange, { readBody: async () => body });
    await serveInference(rooms, { ...incoming, exchange: again });
    return;
  }
  const run = rooms.responses.beginRun(owner, exchange.requestId);
  void work(rooms, incoming, inBackground.body, run);
  await run.whenAccepted();
  if (inBackground.wantsStream) followEvents(exchange, run.log, -1);
  else answer(exchange, run.current);
}

/** Never throws: whoever waits hears of it from the run. */
async function work(
  rooms: ResponseRooms,
  incoming: IncomingRequest,
  body: Buffer,
  begun: ReturnType<Responses['beginRun']>,
): Promise<void> {
  using run = begun;
  using memory = rooms.openMemory(incoming.address);
  try {
    memory.takeForRequest(body.length);
    const { cancellation } = run;
    const exchange = exchangeWith(incoming.exchange, {
      reply: run,
      cancellation,
      memory,
      readBody: async () => body,
    });
    await serveInference(rooms, { ...incoming, exchange });
  } catch (thrown) {
    if (!(thrown instanceof Refusal))
      rooms.logger.error(
        { requestId: incoming.exchange.requestId, error: thrown },
        'a response in the background ended in a bug',
      );
    const bug = new Refusal('internal_error', 'Something went wrong inside the service.');
    run.refuse(thrown instanceof Refusal ? thrown : bug);
  }
}

/** Written as a stream in any case, so that one can come back to it. Bodies that cannot be read are for the door. */
function backgroundBody(body: Buffer): { body: Buffer; wantsStream: boolean } | undefined {
  if (!body.includes('"background"')) return undefined;
  const envelope = readEnvelope(body);
  if (readValue(envelope, 'background') !== true) return undefined;
  const wantsStream = readValue(envelope, 'stream') === true;
  return { body: spliceEnvelope(envelope, new Map([['stream', 'true']])), wantsStream };
}

async function serveKept(
  rooms: ResponseRooms,
  incoming: IncomingRequest,
  id: string,
  part: string | undefined,
): Promise<void> {
  const { exchange } = incoming;
  const owner = ownerOf(rooms, incoming);
  const query = new URLSearchParams(exchange.query);
  switch (`${exchange.method} ${part ?? ''}`) {
    case 'GET ':
      if (query.get('stream') !== 'true') answer(exchange, await rooms.responses.read(owner, id));
      else if (await isHandedThrough(rooms, exchange, owner, id, 'events')) return;
      else followEvents(exchange, await rooms.responses.readEvents(owner, id), startingAfter(query));
      return;
    case 'DELETE ':
      await forgetElsewhere(rooms, owner, id);
      await rooms.responses.remove(owner, id);
      answer(exchange, { id, object: 'response', deleted: true });
      return;
    case 'GET input_items':
      answer(exchange, pageOf(await rooms.responses.readItems(owner, id), query));
      return;
    case 'POST cancel':
      if (await isHandedThrough(rooms, exchange, owner, id, 'cancel')) return;
      answer(exchange, await rooms.responses.cancel(owner, id));
      return;
    default: {
      const allow = part === undefined ? 'GET, DELETE' : part === 'cancel' ? 'POST' : 'GET';
      throw new Refusal('method_not_allowed', `This address answers ${allow}, not ${exchange.method}.`, {
        headers: { allow },
      });
    }
  }
}

/** To the gateway that writes it, if it is another one. */
async function isHandedThrough(
  { responses, calls }: ResponseRooms,
  exchange: Exchange,
  owner: ResponseOwner,
  id: string,
  verb: 'events' | 'cancel',
): Promise<boolean> {
  if (calls === undefined || !(await responses.isWrittenElsewhere(owner, id))) return false;
  const after = String(startingAfter(new URLSearchParams(exchange.query)));
  return await handThrough(calls, exchange, {
    method: verb === 'events' ? 'GET' : 'POST',
    path: `responses/${id}/${verb}`,
    query: { owner: owner.id, after },
  });
}

async function forgetElsewhere(
  { responses, calls }: ResponseRooms,
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
export function responsesForPeers({ responses }: Pick<ResponseRooms, 'responses'>): PeerService {
  return ({ exchange, id, verb, query }) => {
    const run = responses.findRun(query.get('owner') ?? '', id);
    if (run === undefined) throw new Refusal('not_found', 'This gateway writes no such response.');
    if (verb === 'events') {
      followEvents(exchange, run.log, Number(query.get('after')));
      return;
    }
    if (verb === 'forget') run.forget();
    else run.cancel();
    answer(exchange, run.current);
  };
}

function ownerOf(rooms: ResponseRooms, incoming: IncomingRequest): ResponseOwner {
  return responseOwner(rooms.admission.identify(incoming).caller, incoming.address);
}

function startingAfter(query: URLSearchParams): number {
  const text = query.get('starting_after') ?? '-1';
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new Refusal('invalid_parameter', '"starting_after" must be the number of an event.', {
    param: 'starting_after',
  });
}

/** Newest first unless asked otherwise, as OpenAI lists them. */
function pageOf(items: readonly Record<string, unknown>[], query: URLSearchParams): object {
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw new Refusal('invalid_parameter', '"limit" must be a whole number from 1 to 100.', {
      param: 'limit',
    });
  const ordered = query.get('order') === 'asc' ? items : items.toReversed();
  const after = query.get('after');
  const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  const data = ordered.slice(from, from + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  };
}

function answer({ reply }: Exchange, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  reply.begin(200, ['content-type', 'application/json', 'content-length', String(body.length)]);
  reply.end(body);
}
