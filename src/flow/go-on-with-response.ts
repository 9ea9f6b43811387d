import { setTimeout as sleep } from 'node:timers/promises';
import type { Witnesses } from '#continuity';
import { recallAnswer } from '#dialects/recalled-answer';
import { responsesTranslation } from '#dialects/responses/responses';
import { jsonFrame } from '#dialects/sse';
import type { RecalledAnswer } from '#dialects/translation';
import type { Responses } from '#responses';
import type { Logger } from '#vocabulary/logger';
import type { WitnessedAnswer, WitnessedResponse } from '#vocabulary/witnessed-answer';
import { gatewayDied } from './inheritance.ts';
import type { ServeRest } from './serve-rest.ts';

export interface ResponseHeirRooms {
  readonly responses: Responses;
  readonly witnesses: Pick<Witnesses, 'tell'>;
  readonly serveRest: ServeRest;
  readonly logger: Logger;
}

/**
 * A response in the background whose gateway died, or was stopped: it goes on here, if nobody else has taken it or ended
 * it.
 */
export async function goOnWithResponse(
  rooms: ResponseHeirRooms,
  answer: WitnessedAnswer & { readonly response: WitnessedResponse },
): Promise<void> {
  const { body, headers: _headers, frames, hasEnded: _hasEnded, ...beginning } = answer;
  using run = await takeOver(rooms, answer);
  if (run === undefined || run.hasEnded) return;
  const lostGateways = answer.lostGateways + 1;
  const response = { ...answer.response, writerId: rooms.responses.writerId() };
  void run.tell((log) => rooms.witnesses.tell({ ...beginning, lostGateways, response }, body, [], log));
  const recalled = run.hasBegun
    ? recallAnswer(responsesTranslation, frames, answer.id)
    : notBegun(run.current);
  if (recalled === undefined) {
    run.refuse(gatewayDied());
    return;
  }
  const chat = recalled.chunks.map((chunk) => Buffer.from(jsonFrame(chunk)));
  const place = { reply: run, cancellation: run.cancellation, refuse: run.refuse.bind(run) };
  await rooms.serveRest({ ...answer, frames: chat, lostGateways }, place, recalled);
}

/** A database that is away for a moment is waited for: without it nobody knows whose the response is. */
async function takeOver(
  { responses, logger }: ResponseHeirRooms,
  { id, response, frames, hasEnded }: WitnessedAnswer & { readonly response: WitnessedResponse },
): Promise<Exclude<Awaited<ReturnType<Responses['inheritRun']>>, string>> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    try {
      const run = await responses.inheritRun(id, response.writerId, frames, hasEnded);
      // Whoever has it may die before anybody else knows of it.
      if (run !== 'written elsewhere') return run;
    } catch (error) {
      logger.warn({ inherited: id, error }, 'a response of a gateway that died cannot be taken over yet');
    }
    await sleep(tryAgainMs, undefined, { ref: false });
  }
  return undefined;
}

const mostAttempts = 30;
const tryAgainMs = 1000;

/** One that was waiting for its turn is asked for anew, and keeps its id. */
function notBegun({ id, created_at: createdAt }: Readonly<Record<string, unknown>>): RecalledAnswer {
  const requestId = String(id).slice('resp_'.length);
  return { requestId, receivedAt: Number(createdAt) * 1000, chunks: [], frameCount: undefined };
}
