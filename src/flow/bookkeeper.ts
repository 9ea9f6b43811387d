import type { Caller } from '#vocabulary/caller';
import type { Clock } from '#vocabulary/clock';
import type { EngineFault } from '#vocabulary/engine-fault';
import type { Outcome, ParsedRequest } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { Metrics } from '#vocabulary/metrics';
import { Refusal } from '#vocabulary/refusal';
import {
  type Ending,
  endingOfCancellation,
  noUsage,
  type UsageJournal,
  type UsageOpening,
} from '#vocabulary/usage';

/** Turns what happened to a request into its one usage record, its metrics and its log line. */
export interface Bookkeeper {
  open(request: ParsedRequest, caller: Caller): RequestAccount;
  /** A bug is logged with its cause and answered as what it is. */
  noteBug(thrown: unknown, request: ParsedRequest): Refusal;
}

/** What one request will be charged for. */
export interface RequestAccount {
  /** Called once. */
  settle(outcome: Outcome, served: Served | undefined): void;
}

/** Which engine served, after which wait; undefined when it never came to that. */
export interface Served {
  readonly engineName: string;
  readonly waitMs: number;
}

export function createBookkeeper(parts: {
  readonly journal: UsageJournal;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}): Bookkeeper {
  const { journal, metrics, clock, logger } = parts;
  return {
    open(request, caller) {
      const opening: UsageOpening = {
        requestId: request.exchange.requestId,
        startedAt: request.exchange.receivedAt,
        door: request.door,
        caller,
        address: request.address,
        endpoint: request.endpoint,
        model: request.model.id,
        requestBytes: request.envelope.body.length,
      };
      journal.open(opening);
      return {
        settle(outcome, served) {
          const durationMs = clock.monotonicMs() - request.exchange.startedMs;
          const record = {
            ...opening,
            engine: served?.engineName,
            ending: outcome.ending,
            status: outcome.status,
            usage: outcome.usage,
            waitMs: served?.waitMs ?? 0,
            firstByteMs: outcome.firstByteMs,
            durationMs,
          };
          journal.settle(record);
          metrics.requestFinished(record, outcome.overheadMs ?? durationMs);
          const { requestId, door, address, model, endpoint } = opening;
          const { engine, ending, status } = record;
          const { inputTokens, outputTokens } = outcome.usage;
          logger.info(
            {
              requestId,
              door,
              address,
              model,
              endpoint,
              engine,
              ending,
              status,
              inputTokens,
              outputTokens,
              durationMs: Math.round(durationMs),
              fault: outcome.engineFault,
            },
            'request finished',
          );
        },
      };
    },
    noteBug(thrown, request) {
      logger.error({ requestId: request.exchange.requestId, error: thrown }, 'a request ended in a bug');
      return new Refusal(
        'internal_error',
        'Something went wrong inside the service. The operators can find this request by its id.',
      );
    },
  };
}

/** The engine never began to answer. Asking again can lose nothing, unless nobody is there to hear it. */
export function failedOutcome(fault: EngineFault, request: ParsedRequest): Outcome {
  const { cancellation } = request.exchange;
  if (cancellation.reason !== undefined)
    return {
      ...blank(endingOfCancellation(cancellation.reason), 499),
      // The engine may have read the whole prompt before the caller left.
      usage: {
        ...noUsage,
        inputTokens: Math.ceil(request.envelope.body.length / 4),
        isEstimated: true,
      },
    };
  return {
    ...blank('engine-failed', 502),
    isRetryable: fault.isBeforeAnswer,
    engineFault: fault.message,
    refusal: engineGone(request),
  };
}

export function refusedByEngine(refusal: Refusal): Outcome {
  return { ...blank('refused-by-engine', refusal.status), refusal };
}

export function refusedByUs(refusal: Refusal, request: ParsedRequest): Outcome {
  const { reason } = request.exchange.cancellation;
  return reason === undefined ? blank('refused', refusal.status) : blank(endingOfCancellation(reason), 499);
}

export function engineGone(request: ParsedRequest): Refusal {
  return new Refusal(
    'engine_failed',
    `The engine of \`${request.model.id}\` failed before it could answer. Try again in a moment.`,
    { retryAfterSeconds: 2 },
  );
}

function blank(ending: Ending, status: number): Outcome {
  return {
    ending,
    status,
    usage: noUsage,
    firstByteMs: undefined,
    overheadMs: undefined,
    engineFault: undefined,
    isRetryable: false,
    refusal: undefined,
  };
}
