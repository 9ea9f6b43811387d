import { answerRefusal } from '#dialects/openai-error';
import type { Exchange } from '#vocabulary/exchange';
import type { PeerAnswer, PeerCall, PeerCalls } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';

/** What a reader is told by this gateway in the name of another; everything else is between the two. */
const passedHeaders = [
  'content-type',
  'cache-control',
  'x-accel-buffering',
  'gatehouse-resume',
  'retry-after',
];

/** Hands a reader through to whichever other gateway has what they ask for. False when none of them has it. */
export async function handThrough(
  calls: PeerCalls,
  exchange: Exchange,
  call: Omit<PeerCall, 'signal'>,
): Promise<boolean> {
  const left = new AbortController();
  exchange.cancellation.onCancel(() => left.abort());
  const answer = await askAll(calls, call, left.signal);
  if (answer === undefined) return false;
  await pass(answer, exchange);
  return true;
}

/** The first that knows of it; the others are not listened to any further. */
async function askAll(
  calls: PeerCalls,
  call: Omit<PeerCall, 'signal'>,
  left: AbortSignal,
): Promise<PeerAnswer | undefined> {
  const attempts = calls.gateways().map(async (gatewayId) => {
    const dismissed = new AbortController();
    const signal = AbortSignal.any([left, dismissed.signal]);
    const answer = await calls.ask(gatewayId, { ...call, signal });
    if (answer !== undefined && answer.status !== 404) return { answer, dismissed };
    dismissed.abort();
    throw new Error('this gateway does not have it');
  });
  const first = await Promise.any(attempts).catch(() => undefined);
  for (const attempt of attempts)
    attempt.then(
      ({ dismissed }) => dismissed !== first?.dismissed && dismissed.abort(),
      () => {},
    );
  return first?.answer;
}

/** At the pace of the reader. */
async function pass({ status, header, body }: PeerAnswer, { reply, cancellation }: Exchange): Promise<void> {
  const headers = passedHeaders.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [name, value];
  });
  reply.begin(status, headers);
  try {
    for await (const bytes of body) {
      if (cancellation.isCancelled) return;
      if (!reply.write(Buffer.from(bytes)))
        await new Promise<void>((resolve) => {
          reply.onDrain(resolve);
          cancellation.onCancel(() => resolve());
        });
    }
    reply.end();
  } catch {
    answerRefusal(reply, gatewayGone());
  }
}

function gatewayGone(): Refusal {
  return new Refusal('stream_not_kept', 'The gateway that wrote this answer is gone. Ask again.');
}
