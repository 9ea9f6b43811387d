import { randomUUIDv7 } from 'node:crypto';
import type { Continuity, KeptStream, Witnesses } from '#continuity';
import { hasFinishReason } from '#dialects/finish-reason';
import { answerRefusal } from '#dialects/openai-error';
import { recallAnswer } from '#dialects/recalled-answer';
import { doneFrame, jsonFrame } from '#dialects/sse';
import type { RecalledAnswer, Translation } from '#dialects/translation';
import { translationFor } from '#dialects/translations';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { exchangeWithoutSocket } from './exchange-without-socket.ts';
import { gatewayDied } from './inheritance.ts';
import { type Rooms, serveInference } from './serve-inference.ts';

export interface HeirRooms extends Rooms {
  readonly continuity: Continuity;
  readonly witnesses: Witnesses;
  readonly openMemory: (address: string) => MemoryShare & Disposable;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * An answer of a gateway that died is one of this gateway now: its reader comes back to it here, and an engine goes on
 * with it, as after the death of an engine.
 */
export async function goOnWithAnswer(rooms: HeirRooms, answer: WitnessedAnswer): Promise<void> {
  const { body, headers: _headers, frames, hasEnded, ...beginning } = answer;
  const lostGateways = answer.lostGateways + 1;
  const tell = rooms.witnesses.tell.bind(undefined, { ...beginning, lostGateways }, body);
  const stream = rooms.continuity.inherit({ ...beginning, owner: answer, tell }, answer);
  if (stream === undefined)
    rooms.logger.warn({ inherited: answer.id }, 'there is no room for an answer of a gateway that died');
  if (stream === undefined || hasEnded) return;
  if (frames.some(hasFinishReason)) stream.end(doneFrame);
  else if (continued.has(answer.asked)) await serveRest(rooms, { ...answer, lostGateways }, stream);
  else {
    const translation = translations.get(answer.asked);
    const recalled = translation && recallAnswer(translation, frames);
    if (recalled === undefined) {
      answerRefusal(stream, gatewayDied());
      return;
    }
    const chat = recalled.chunks.map((chunk) => Buffer.from(jsonFrame(chunk)));
    await serveRest(rooms, { ...answer, frames: chat, lostGateways }, stream, recalled);
  }
}

const continued: ReadonlySet<string> = new Set(['chat/completions', 'completions']);

/** What was told in these is put back into the chat that it was made of. */
const translations: ReadonlyMap<string, Translation | undefined> = new Map(
  (['responses', 'messages'] as const).map((asked) => [asked, translationFor(asked)]),
);

/** A request of its owner like any other, under an id of its own. Never throws: its reader hears of it from the stream. */
async function serveRest(
  rooms: HeirRooms,
  answer: WitnessedAnswer,
  stream: KeptStream,
  recalled?: RecalledAnswer,
): Promise<void> {
  const { address, isAddressCertain, asked, keyId, body } = answer;
  const requestId = randomUUIDv7();
  rooms.logger.info({ requestId, inherited: answer.id }, 'goes on with an answer of a gateway that died');
  using memory = rooms.openMemory(address);
  const question = {
    requestId,
    path: `/api/${asked}`,
    address,
    cancellation: stream.cancellation,
    reply: stream,
    memory,
    body: () => body,
  };
  const exchange = exchangeWithoutSocket(question, rooms.clock);
  const claim = { kind: 'admitted-key', keyId } as const;
  const incoming = { exchange, door: 'proxy', address, isAddressCertain, claim, asked, recalled } as const;
  try {
    await serveInference(rooms, { ...incoming, leavesReceipt: false, servedHere: undefined }, answer);
  } catch (thrown) {
    if (!(thrown instanceof Refusal))
      rooms.logger.error({ requestId, error: thrown }, 'an inherited answer ended in a bug');
    answerRefusal(stream, thrown instanceof Refusal ? thrown : gatewayDied());
  }
}
