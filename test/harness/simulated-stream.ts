import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { SimulationPlan } from './simulated-plan.ts';

/** One frame to be written: its JSON, or `[DONE]`, with an optional event name. */
export interface Frame {
  readonly data: string;
  readonly event?: string;
  readonly isUsage?: boolean;
}

export interface StreamProgress {
  framesWritten: number;
  bytesWritten: number;
}

export type StreamEnd = 'completed' | 'failed' | 'aborted';

/** Plays the frames with the plan's pace, cuts and breakdowns. Aborts between frames through `signal`. */
export async function playStream(
  response: ServerResponse,
  frames: Iterable<Frame>,
  plan: SimulationPlan,
  errorFrame: Frame,
  progress: StreamProgress,
  signal: AbortSignal,
): Promise<StreamEnd> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  if (plan.goesOn === 'comments') return await goOnForEver(response, ': still here\n\n', progress, signal);
  if (plan.framing.cut === 'all-at-once') {
    const all = Array.from(frames, (frame) => encode(frame, plan));
    await write(response, Buffer.concat(all), progress, signal);
    progress.framesWritten = all.length;
    response.end();
    return 'completed';
  }
  for (const frame of frames) {
    if (signal.aborted) return 'aborted';
    if (plan.hangAfter === progress.framesWritten) {
      await untilAborted(signal);
      return 'aborted';
    }
    if (plan.dieAfter === progress.framesWritten) return die(response);
    if (
      plan.dieMidFrameAfter === progress.framesWritten ||
      plan.endMidFrameAfter === progress.framesWritten
    ) {
      const bytes = encode(frame, plan);
      await write(response, bytes.subarray(0, Math.floor(bytes.length / 2)), progress, signal);
      if (plan.dieMidFrameAfter !== undefined) return die(response);
      response.end();
      return 'failed';
    }
    if (plan.errorEventAfter === progress.framesWritten) {
      await write(response, encode(errorFrame, plan), progress, signal);
      await write(response, encode({ data: '[DONE]' }, plan), progress, signal);
      response.end();
      return 'failed';
    }
    if (plan.everyMs > 0 && progress.framesWritten > 0) await pause(plan.everyMs, signal);
    if (signal.aborted) return 'aborted';
    if (plan.sendsComments)
      await write(response, Buffer.from(`: still here${plan.framing.lineEnd.repeat(2)}`), progress, signal);
    for (const piece of cut(encode(frame, plan), frame, plan)) {
      await write(response, piece, progress, signal);
      if (plan.framing.cut !== 'whole') await turn();
    }
    progress.framesWritten += 1;
    if (frame.isUsage === true && plan.diesAfterUsage) return die(response);
  }
  if (plan.goesOn === 'after-done')
    return await goOnForEver(response, 'data: {"choices":[]}\n\n', progress, signal);
  response.end();
  return 'completed';
}

async function goOnForEver(
  response: ServerResponse,
  text: string,
  progress: StreamProgress,
  signal: AbortSignal,
): Promise<StreamEnd> {
  while (!signal.aborted) {
    await write(response, Buffer.from(text), progress, signal);
    await pause(20, signal);
  }
  return 'aborted';
}

function encode(frame: Frame, plan: SimulationPlan): Buffer {
  const { lineEnd, dataPrefix } = plan.framing;
  const event = frame.event === undefined ? '' : `event: ${frame.event}${lineEnd}`;
  return Buffer.from(`${event}${dataPrefix}${frame.data}${lineEnd}${lineEnd}`);
}

function cut(bytes: Buffer, frame: Frame, plan: SimulationPlan): Buffer[] {
  switch (plan.framing.cut) {
    case 'one-byte':
      return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    case 'inside-utf8': {
      const lead = bytes.findIndex((byte) => byte >= 0xc0);
      return lead < 0 ? [bytes] : [bytes.subarray(0, lead + 1), bytes.subarray(lead + 1)];
    }
    case 'inside-usage': {
      const at = frame.isUsage === true ? bytes.indexOf('prompt_tok') : -1;
      return at < 0 ? [bytes] : [bytes.subarray(0, at + 3), bytes.subarray(at + 3)];
    }
    default:
      return [bytes];
  }
}

async function write(
  response: ServerResponse,
  bytes: Buffer,
  progress: StreamProgress,
  signal: AbortSignal,
): Promise<void> {
  if (response.destroyed || signal.aborted) return;
  progress.bytesWritten += bytes.length;
  if (response.write(bytes)) return;
  await once(response, 'drain', { signal }).catch(() => {});
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Lets what was written reach the other side first, then breaks the connection without ending the body. */
async function die(response: ServerResponse): Promise<StreamEnd> {
  await delay(20);
  response.socket?.destroy();
  return 'failed';
}
