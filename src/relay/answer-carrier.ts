import { countFrames } from '#dialects/sse';
import { wasAborted, withPublicFinishReason } from '#dialects/finish-reason';
import { EngineFault } from '#vocabulary/engine-fault';
import type { EngineStream, Outcome, Route } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { engineGaveNothing } from './endings.ts';
import { sentAway } from '#vocabulary/sent-away';
import { endingOfCancellation, noUsage } from '#vocabulary/usage';
import { assembleAnswer } from './assembled-answer.ts';
import type { Rewriter } from './rewriter.ts';
import type { Timing } from './server-timing.ts';
import { estimateUsage, findStreamedUsage, findUsage, mergeUsage } from './usage-reading.ts';

/** Of a stream where none was asked for. No text inside a frame holds a line that begins so. */
const doneLine = /(?:^|\n)data: ?\[DONE\]/;
const doneLength = 16;

/** The largest whole answer held in memory; a larger one is an engine at fault. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Carries an answer that comes in one piece. It is sent only when it is complete, so a broken one can be retried. */
export function carryAnswer(
  stream: EngineStream,
  route: Route,
  rewriter: Rewriter | undefined,
  timing: Timing,
): Promise<Outcome> {
  const { reply, cancellation, memory } = route.request.exchange;
  const requestBytes = route.request.envelope.body.length;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const isStream = stream.contentType.startsWith('text/event-stream');
    let bytes = 0;
    let tail = '';
    let isOver = false;
    stream.read({
      chunkArrived(chunk) {
        if (isOver) {
          // It goes on after its end.
          stream.cancel();
          return;
        }
        try {
          memory.takeForAnswer(chunk.length);
        } catch (thrown) {
          if (!(thrown instanceof Refusal)) throw thrown;
          giveUp(thrown);
          return;
        }
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > maxAnswerBytes) stream.cancel();
        if (!isStream) return;
        const seen = tail + chunk.toString('latin1');
        tail = seen.slice(-doneLength);
        if (doneLine.test(seen)) finish();
      },
      ended: finish,
      failed(cause) {
        if (!isOver) fail(cause);
      },
    });

    function finish(): void {
      if (isOver) return;
      isOver = true;
      const [only] = chunks;
      const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
      chunks.length = 0;
      if (wasAborted(whole)) {
        fail(new EngineFault('the engine gave the answer up', { retry: 'elsewhere' }));
        return;
      }
      const answer = withPublicFinishReason(whole);
      // A stream that has begun with a heartbeat cannot turn into a plain answer.
      const body = reply.hasBegun
        ? undefined
        : rewriter === undefined && !isStream
          ? checkedWhole(answer)
          : rewriteWhole(answer, isStream, rewriter);
      if (body === undefined) {
        fail(new EngineFault('the answer has the wrong form', { retry: 'elsewhere' }));
        return;
      }
      const headers = [
        'content-type',
        isStream ? 'application/json' : stream.contentType || 'application/json',
        'content-length',
        String(body.length),
        'server-timing',
        timing.header,
      ];
      // The sum over all choices is in what we put together; what was cached is only in what the engine said.
      const told = isStream ? mergeUsage(findUsage(body), findStreamedUsage(answer)) : findUsage(answer);
      const usage = told ?? (isStream ? estimateUsage(requestBytes, countFrames(answer)) : noUsage);
      resolve({
        ending: 'completed',
        status: stream.status,
        usage,
        firstByteMs: stream.firstByteMs,
        overheadMs: timing.overheadMs,
        engineFault: undefined,
        retry: 'never',
        refusal: undefined,
        heldBack: [body],
        sendEnd() {
          // From here on the reply counts what of it nobody has taken.
          forget();
          reply.begin(stream.status, headers);
          reply.end(body);
        },
      });
    }

    /** The engine did well, but there is no room for what it says. */
    function giveUp(refusal: Refusal): void {
      isOver = true;
      forget();
      resolve({
        ending: 'refused',
        status: refusal.status,
        usage: estimateUsage(requestBytes, 0),
        firstByteMs: stream.firstByteMs,
        overheadMs: timing.overheadMs,
        engineFault: undefined,
        retry: 'never',
        refusal,
        sendEnd() {},
      });
      stream.cancel();
    }

    function forget(): void {
      memory.give(bytes);
      bytes = 0;
      chunks.length = 0;
    }

    function fail(cause: Error): void {
      isOver = true;
      forget();
      const { reason } = cancellation;
      resolve({
        ending: reason === undefined ? 'engine-failed' : endingOfCancellation(reason),
        status: reason === undefined ? 502 : 499,
        usage: estimateUsage(requestBytes, 0),
        firstByteMs: stream.firstByteMs,
        overheadMs: timing.overheadMs,
        engineFault: reason === undefined ? cause.message : undefined,
        retry: reason !== undefined ? 'never' : cause instanceof EngineFault ? cause.retry : 'elsewhere',
        isCut: cause instanceof EngineFault && cause.isCut,
        refusal:
          reason === undefined
            ? engineGaveNothing()
            : reason === 'caller-left'
              ? undefined
              : sentAway(reason),
        sendEnd() {},
      });
    }
  });
}

/** Looks at the two ends only: what passes untouched is not parsed. */
function checkedWhole(answer: Buffer): Buffer | undefined {
  const text =
    answer.toString('latin1', 0, 64).trimStart() + answer.toString('latin1', answer.length - 64).trimEnd();
  return /^[{[][^]*[}\]]$/.test(text) ? answer : undefined;
}

function rewriteWhole(answer: Buffer, isStream: boolean, rewriter: Rewriter | undefined): Buffer | undefined {
  try {
    const value: unknown = isStream ? assembleAnswer(answer) : JSON.parse(answer.toString('utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const whole = value as Record<string, unknown>;
    return Buffer.from(JSON.stringify(rewriter?.rewriteAnswer(whole) ?? whole));
  } catch {
    return undefined;
  }
}
