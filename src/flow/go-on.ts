import type { Continuity, KeptStream, Witnesses } from '#continuity';
import { hasFinishReason } from '#dialects/finish-reason';
import { isLastFrame, recallAnswer, refusedEnd } from '#dialects/recalled-answer';
import { doneFrame, frameData, isEventStream, jsonFrame } from '#dialects/sse';
import type { Translation } from '#dialects/translation';
import { translationFor } from '#dialects/translations';
import type { Logger } from '#vocabulary/logger';
import type { Refusal } from '#vocabulary/refusal';
import type { WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { gatewayDied } from './inheritance.ts';
import type { ServeRest } from './serve-rest.ts';

export interface HeirRooms {
  readonly continuity: Continuity;
  readonly witnesses: Witnesses;
  readonly serveRest: ServeRest;
  readonly logger: Logger;
}

/**
 * An answer of a gateway that died is one of this gateway now: its reader comes back to it here, and an engine goes on
 * with it, as after the death of an engine. Whatever fails, its reader hears of it at once and in their own dialect.
 */
export async function goOnWithAnswer(rooms: HeirRooms, answer: WitnessedAnswer): Promise<void> {
  const { body, headers, frames, hasEnded, ...beginning } = answer;
  // Half of an answer in one piece is nothing: whoever has a name for it asks again.
  if (!hasEnded && !isEventStream(headers)) return;
  const lostGateways = answer.lostGateways + 1;
  const tell = rooms.witnesses.tell.bind(undefined, { ...beginning, lostGateways }, body);
  const stream = rooms.continuity.inherit({ ...beginning, owner: answer, tell }, answer);
  if (stream === undefined)
    rooms.logger.warn({ inherited: answer.id }, 'there is no room for an answer of a gateway that died');
  if (stream === undefined || hasEnded) return;
  const translation = translations.get(answer.asked);
  const refuse = (refusal: Refusal) => {
    if (!stream.hasEnded) stream.end(refusedEnd(translation, frames, refusal));
  };
  try {
    await writeRest(rooms.serveRest, { ...answer, lostGateways }, stream, translation, refuse);
  } catch (error) {
    rooms.logger.error({ inherited: answer.id, error }, 'an inherited answer ended in a bug');
    refuse(gatewayDied());
  }
}

async function writeRest(
  serveRest: ServeRest,
  answer: WitnessedAnswer,
  stream: KeptStream,
  translation: Translation | undefined,
  refuse: (refusal: Refusal) => void,
): Promise<void> {
  const { frames, id, begunAs = id } = answer;
  const place = { reply: stream, cancellation: stream.cancellation, refuse };
  const last = frames.at(-1);
  const isDone = last !== undefined && frameData(last) === '[DONE]';
  if (translation !== undefined) {
    const recalled = recallAnswer(translation, frames, begunAs);
    const chat = recalled?.chunks.map((chunk) => Buffer.from(jsonFrame(chunk)));
    if (last !== undefined && isLastFrame(translation, last)) stream.end();
    else if (chat === undefined) refuse(gatewayDied());
    else await serveRest({ ...answer, frames: chat }, place, recalled);
  } else if (frames.some(hasFinishReason)) stream.end(isDone ? undefined : doneFrame);
  else if (continued.has(answer.asked)) await serveRest(answer, place);
  else refuse(gatewayDied());
}

const continued: ReadonlySet<string> = new Set(['chat/completions', 'completions']);

/** What was told in these is put back into the chat that it was made of. */
const translations: ReadonlyMap<string, Translation | undefined> = new Map(
  (['responses', 'messages'] as const).map((asked) => [asked, translationFor(asked)]),
);
