import { setTimeout as sleep } from 'node:timers/promises';
import type { Witnesses } from '#continuity';
import { responseId } from '#dialects/responses/response-frame';
import { readEnvelope, readValue, spliceEnvelope } from '#dialects/envelope';
import type { Responses } from '#responses';
import { exchangeWith } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { MemoryShare } from '#vocabulary/memory-share';
import type { PeerCalls } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import { responseOwner } from '#vocabulary/response-shelf';
import type { ResponseOwner } from '#vocabulary/response-store';
import type { AnswerTold, ToldFrames } from '#vocabulary/witnessed-answer';
import { followEvents } from './follow-events.ts';
import { answerWithJson } from './answer-with-json.ts';
import { forgetElsewhere, isCancelledElsewhere, readEvents } from './responses-elsewhere.ts';
import { type Rooms, serveInference } from './serve-inference.ts';

export interface ResponseRooms extends Rooms {
  readonly responses: Responses;
  readonly openMemory: (address: string) => MemoryShare & Disposable;
  /** The other gateways, where there can be any, and whoever goes on with what this one writes. */
  readonly calls: PeerCalls | undefined;
  readonly witnesses: Pick<Witnesses, 'tell'>;
  readonly logger: Logger;
}

/** Everything about responses that is more than one question and its answer. Undefined: it is not about them. */
export function serveResponses(rooms: ResponseRooms, incoming: IncomingRequest): Promise<void> | undefined {
  const { asked, exchange } = incoming;
  if (asked === 'responses') return exchange.method === 'POST' ? create(rooms, incoming) : undefined;
  const match = /^responses\/(resp_\w{1,100})(?:\/(cancel|input_items))?$/.exec(asked);
  return match?.[1] === undefined ? undefined : serveKept(rooms, incoming, match[1], match[2]);
}

/** A disk that is slower than this costs a response its safety, and nobody their time. */
const diskMs = 1000;

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
  run.onAnnounced = (headers) => exchange.reply.announce(headers);
  let refused: Refusal | undefined;
  const onRefused = (refusal: Refusal) => (refused = refusal);
  void work(rooms, { ...incoming, onRefused }, inBackground.body, run);
  await run.whenAccepted();
  // Before its caller knows of it: whoever has its id finds it, whatever dies.
  const isWritten = await run.whenWritten;
  // Whoever is over a limit hears it as everybody does, so that client libraries wait and ask again.
  if (!isWritten || refused?.status === 429) {
    await rooms.responses.remove(owner, responseId(exchange.requestId)).catch(() => {});
    throw refused ?? notKept();
  }
  const known = run.tell((log) => tellWitness(rooms, incoming, owner, inBackground.body, log));
  if (known !== undefined) await Promise.race([known, sleep(diskMs, undefined, { ref: false })]);
  if (inBackground.wantsStream) followEvents(exchange, run.log, -1);
  else answerWithJson(exchange, run.current);
}

function notKept(): Refusal {
  return new Refusal(
    'database_unavailable',
    'The database is away for a moment, and a response in the background has to be kept. Try again.',
    { retryAfterSeconds: 5 },
  );
}

/** Another gateway, or the next process of this one, goes on with it if this one dies. */
function tellWitness(
  { admission, responses, witnesses }: ResponseRooms,
  incoming: IncomingRequest,
  owner: ResponseOwner,
  body: Buffer,
  log: ToldFrames,
): AnswerTold {
  const { exchange, door, address, isAddressCertain, asked } = incoming;
  const { caller } = admission.identify(incoming);
  const beginning = {
    id: responseId(exchange.requestId),
    keyId: caller.kind === 'key' ? caller.keyId : owner.id,
    personId: owner.personId ?? '',
    address,
    isAddressCertain,
    asked,
    seconds: 0,
    begunAs: exchange.requestId,
    lostGateways: 0,
    response: {
      writerId: responses.writerId(),
      ownerId: owner.id,
      directPath: door === 'direct' ? exchange.path : undefined,
    },
  };
  return witnesses.tell(beginning, body, [], log);
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
    await serveInference(rooms, { ...incoming, exchange, begunAs: exchange.requestId, isPatient: true });
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
      if (query.get('stream') === 'true') await readEvents(rooms, exchange, owner, id, startingAfter(query));
      else answerWithJson(exchange, await rooms.responses.read(owner, id));
      return;
    case 'DELETE ':
      await forgetElsewhere(rooms, owner, id);
      await rooms.responses.remove(owner, id);
      answerWithJson(exchange, { id, object: 'response', deleted: true });
      return;
    case 'GET input_items':
      answerWithJson(exchange, pageOf(await rooms.responses.readItems(owner, id), query));
      return;
    case 'POST cancel':
      if (!(await isCancelledElsewhere(rooms, exchange, owner, id)))
        answerWithJson(exchange, await rooms.responses.cancel(owner, id));
      return;
    default: {
      const allow = part === undefined ? 'GET, DELETE' : part === 'cancel' ? 'POST' : 'GET';
      throw new Refusal('method_not_allowed', `This address answers ${allow}, not ${exchange.method}.`, {
        headers: { allow },
      });
    }
  }
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
