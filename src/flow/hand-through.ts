import { answerRefusal } from '#dialects/openai-error';
import { FrameCutter } from '#dialects/sse';
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
  const answer = await askAll(calls, call, whileReading(exchange));
  if (answer === undefined) return false;
  if (!(await pass(answer, exchange, (bytes) => bytes))) answerRefusal(exchange.reply, gatewayGone());
  return true;
}

/** Where the number of a frame stands. */
export const frameNumbers = {
  kept: /^id: (\d+)$/gm,
  response: /^data: \{"type":"[^"]*","sequence_number":(\d+)/gm,
};

/**
 * The same for a stream with numbers. When the other gateway dies, resolves with the number of the last frame that the
 * reader has got, so that somebody else can give the rest.
 */
export async function handThroughNumbered(
  calls: PeerCalls | undefined,
  exchange: Exchange,
  call: Omit<PeerCall, 'signal'>,
  numbers = frameNumbers.kept,
): Promise<'whole' | 'nobody has it' | 'not begun' | { readonly brokenAfter: number | undefined }> {
  const answer = calls && (await askAll(calls, call, whileReading(exchange)));
  if (answer?.status === 202) return 'not begun';
  if (answer === undefined || (exchange.reply.hasBegun && answer.status !== 200)) return 'nobody has it';
  if (answer.header('content-type')?.startsWith('text/event-stream') !== true)
    return (await passWhole(answer, exchange)) ? 'whole' : { brokenAfter: undefined };
  const cutter = new FrameCutter();
  let last: number | undefined;
  const isWhole = await pass(answer, exchange, (bytes) => {
    const frames = cutter.push(bytes);
    for (const [, number] of frames?.toString('latin1').matchAll(numbers) ?? []) last = Number(number);
    return frames;
  });
  return isWhole ? 'whole' : { brokenAfter: last };
}

function whileReading({ cancellation }: Exchange): AbortSignal {
  const left = new AbortController();
  cancellation.onCancel(() => left.abort());
  return left.signal;
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

/** At the pace of the reader. False when the other gateway has died before the end. */
async function pass(
  { status, header, body }: PeerAnswer,
  { reply, cancellation }: Exchange,
  cut: (bytes: Buffer) => Buffer | undefined,
): Promise<boolean> {
  if (!reply.hasBegun) reply.begin(status, passed(header));
  try {
    for await (const bytes of body) {
      if (cancellation.isCancelled) return true;
      const part = cut(Buffer.from(bytes));
      if (part !== undefined && !reply.write(part))
        await new Promise<void>((resolve) => {
          reply.onDrain(resolve);
          cancellation.onCancel(() => resolve());
        });
    }
    reply.end();
    return true;
  } catch {
    return cancellation.isCancelled;
  }
}

/** An answer in one piece, of which nothing is sent before all of it is here. */
async function passWhole({ status, header, body }: PeerAnswer, { reply }: Exchange): Promise<boolean> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const bytes of body) pieces.push(bytes);
  } catch {
    return false;
  }
  const whole = Buffer.concat(pieces);
  reply.begin(status, [...passed(header), 'content-length', String(whole.length)]);
  reply.end(whole);
  return true;
}

function passed(header: PeerAnswer['header']): string[] {
  return passedHeaders.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [name, value];
  });
}

function gatewayGone(): Refusal {
  return new Refusal('stream_not_kept', 'The gateway that wrote this answer is gone. Ask again.');
}
