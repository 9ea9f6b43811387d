import { randomUUIDv7 } from 'node:crypto';
import type { RecalledAnswer } from '#dialects/translation';
import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import type { IncomingRequest } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { exchangeWithoutSocket } from './exchange-without-socket.ts';
import { gatewayDied } from './inheritance.ts';
import { type Rooms, serveInference } from './serve-inference.ts';

export interface RestRooms extends Rooms {
  readonly openMemory: (address: string) => MemoryShare & Disposable;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type ServeRest = (
  answer: WitnessedAnswer,
  place: RestPlace,
  recalled?: RecalledAnswer,
) => Promise<void>;

/** Where the rest of an answer is written, and whoever hears why there is none. */
export interface RestPlace extends Pick<Exchange, 'reply' | 'cancellation'> {
  refuse(refusal: Refusal): void;
}

/**
 * What is left of an answer whose gateway died: a request of its owner like any other, under an id of its own. Never
 * throws.
 */
export async function serveRest(
  rooms: RestRooms,
  answer: WitnessedAnswer,
  { reply, cancellation, refuse }: RestPlace,
  recalled?: RecalledAnswer,
): Promise<void> {
  const { address, asked, body } = answer;
  const requestId = randomUUIDv7();
  rooms.logger.info({ requestId, inherited: answer.id }, 'goes on with an answer that another process began');
  try {
    using memory = rooms.openMemory(address);
    const path = answer.response?.directPath ?? `/api/${asked}`;
    const question = { requestId, path, address, cancellation, reply, memory, body: () => body };
    const exchange = exchangeWithoutSocket(question, rooms.clock);
    const { begunAs, response } = answer;
    const incoming = greet(rooms, answer, exchange);
    const isPatient = response !== undefined;
    await serveInference(rooms, { ...incoming, recalled, begunAs, isPatient }, answer);
  } catch (thrown) {
    if (!(thrown instanceof Refusal))
      rooms.logger.error({ requestId, error: thrown }, 'an inherited answer ended in a bug');
    refuse(thrown instanceof Refusal ? thrown : gatewayDied());
  }
}

/** By the door by which it came; what was shown there was seen by the gateway that died. */
function greet({ doors }: RestRooms, answer: WitnessedAnswer, exchange: Exchange): IncomingRequest {
  const { address, isAddressCertain, asked, keyId, response } = answer;
  if (response?.directPath === undefined) {
    const claim = { kind: 'admitted-key', keyId } as const;
    const incoming = { exchange, door: 'proxy', address, isAddressCertain, claim, asked } as const;
    return { ...incoming, leavesReceipt: false, servedHere: undefined };
  }
  const [, segment = ''] = response.directPath.split('/', 2);
  if (!doors.isDirectPath(segment)) throw gatewayDied();
  return doors.greetAtDirect(exchange);
}
