import type { BegunAnswer } from '#vocabulary/begun-answer';
import { EngineFault } from '#vocabulary/engine-fault';
import type { Outcome, ParsedRequest, Route } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { sentAway } from '#vocabulary/sent-away';
import { type Ending, endingOfCancellation, noUsage, type TokenUsage } from '#vocabulary/usage';

/** The engine never began to answer. Asking again can lose nothing, unless nobody is there to hear it. */
export function failedOutcome(fault: EngineFault, request: ParsedRequest): Outcome {
  const { reason } = request.exchange.cancellation;
  if (reason !== undefined)
    return {
      ...blank(endingOfCancellation(reason), 499),
      // Whoever was sent away is still there and waits for an answer.
      refusal: reason === 'caller-left' ? undefined : sentAway(reason),
      // The engine may have read the whole prompt before the caller left.
      usage: promptOnly(request),
    };
  return {
    ...blank('engine-failed', fault.isSilence ? 504 : 502),
    // It may have read the prompt and written something before it stopped.
    usage: fault.retry === 'anywhere' ? noUsage : promptOnly(request),
    retry: fault.retry,
    isCut: fault.isCut,
    engineFault: fault.message,
    refusal: fault.isSilence ? engineSilent(request) : engineGone(request, fault.retryAfterSeconds),
  };
}

/** Still as it was when its engine died; the engine that was to go on is no more to blame than it says. */
export function notContinued(
  { engine, request }: Route,
  before: Outcome,
  begun: BegunAnswer,
  thrown: unknown,
): Outcome {
  const isFault = thrown instanceof EngineFault;
  if (!isFault && !(thrown instanceof Refusal)) throw thrown;
  if (request.exchange.cancellation.isCancelled) return givenUp(before, request);
  // Whoever was not there has not lost it.
  const isUnreached = isFault && thrown.retry === 'anywhere';
  return {
    ...before,
    engineFault: isFault ? thrown.message : undefined,
    retry: isUnreached ? 'anywhere' : 'never',
    begun: isUnreached ? begun : { ...begun, lostEngines: [...begun.lostEngines, engine.name] },
  };
}

/** Nobody goes on with it; and where nobody wants it any more, it is not the engine that ended it. */
export function givenUp(outcome: Outcome, request: ParsedRequest): Outcome {
  const { reason } = request.exchange.cancellation;
  if (reason === undefined) return outcome;
  return {
    ...outcome,
    ending: endingOfCancellation(reason),
    engineFault: undefined,
    refusal: reason === 'caller-left' ? undefined : sentAway(reason),
    begun: undefined,
  };
}

export function refusedByEngine(refusal: Refusal): Outcome {
  return { ...blank('refused-by-engine', refusal.status), refusal };
}

export function refusedByUs(refusal: Refusal, request: ParsedRequest): Outcome {
  const { reason } = request.exchange.cancellation;
  return reason === undefined ? blank('refused', refusal.status) : blank(endingOfCancellation(reason), 499);
}

export function engineGone(request: ParsedRequest, retryAfterSeconds = 2): Refusal {
  return new Refusal(
    'engine_failed',
    `The engine of \`${request.model.id}\` failed before it could answer. Try again in a moment.`,
    { retryAfterSeconds },
  );
}

/** Nothing is begun of which nobody would know. */
export function unaccountable(): Refusal {
  return new Refusal(
    'usage_unwritable',
    'The service cannot write down usage at the moment and takes no new requests. Try again in a minute.',
    { retryAfterSeconds: 30 },
  );
}

/** The answer is there and its record is not: what nobody can account for is not handed out. */
export function notWrittenDown(): Refusal {
  return new Refusal(
    'usage_unwritable',
    'The answer was held back because its usage could not be written down. Send the request again in a moment.',
    { retryAfterSeconds: 10 },
  );
}

function engineSilent(request: ParsedRequest): Refusal {
  return new Refusal(
    'engine_timeout',
    `The engine of \`${request.model.id}\` gave no sign of life for too long. Try again in a moment.`,
    { retryAfterSeconds: 5 },
  );
}

function promptOnly(request: ParsedRequest): TokenUsage {
  return { ...noUsage, inputTokens: Math.ceil(request.envelope.body.length / 4), isEstimated: true };
}

export function blank(ending: Ending, status: number): Outcome {
  return {
    ending,
    status,
    usage: noUsage,
    firstByteMs: undefined,
    overheadMs: undefined,
    engineFault: undefined,
    retry: 'never',
    refusal: undefined,
    sendEnd() {},
  };
}
