import type { Caller } from '#vocabulary/caller';
import type { Clock } from '#vocabulary/clock';
import type { EngineFault } from '#vocabulary/engine-fault';
import type { Arrival, Outcome, Route } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { Metrics } from '#vocabulary/metrics';
import { Refusal } from '#vocabulary/refusal';
import {
  type Ending,
  endingOfDeparture,
  noUsage,
  type UsageJournal,
  type UsageOpening,
} from '#vocabulary/usage';

/** Turns what happened to a request into its one usage record, its metrics and its log line. */
export interface Bookkeeper {
  open(arrival: Arrival, caller: Caller): Books;
  /** A bug is logged with its cause and answered as what it is. */
  noteBug(thrown: unknown, arrival: Arrival): Refusal;
}

export interface Books {
  /** Called once. */
  settle(outcome: Outcome, route: Route | undefined): void;
}

export function createBookkeeper(parts: {
  readonly journal: UsageJournal;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}): Bookkeeper {
  const { journal, metrics, clock, logger } = parts;
  return {
    open(arrival, caller) {
      const { visit } = arrival;
      const opening: UsageOpening = {
        requestId: visit.exchange.requestId,
        startedAt: visit.exchange.receivedAt,
        door: visit.door,
        caller,
        address: visit.address,
        endpoint: arrival.endpoint,
        model: arrival.model.id,
        requestBytes: arrival.envelope.body.length,
      };
      journal.open(opening);
      return {
        settle(outcome, route) {
          const durationMs = clock.monotonicMs() - visit.exchange.startedMs;
          const record = {
            ...opening,
            engine: route?.engine.name,
            ending: outcome.ending,
            status: outcome.status,
            usage: outcome.usage,
            waitMs: route?.ticket.waitMs ?? 0,
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
    noteBug(thrown, arrival) {
      logger.error(
        { requestId: arrival.visit.exchange.requestId, error: thrown },
        'a request ended in a bug',
      );
      return new Refusal(
        'internal_error',
        'Something went wrong inside the service. The operators can find this request by its id.',
      );
    },
  };
}

/** The engine never began to answer. Asking again can lose nothing, unless nobody is there to hear it. */
export function failedOutcome(fault: EngineFault, route: Route): Outcome {
  const { departure } = route.ticket.arrival.visit.exchange;
  if (departure.reason !== undefined)
    return {
      ...blank(endingOfDeparture(departure.reason), 499),
      // The engine may have read the whole prompt before the caller left.
      usage: {
        ...noUsage,
        inputTokens: Math.ceil(route.ticket.arrival.envelope.body.length / 4),
        isEstimated: true,
      },
    };
  return {
    ...blank('engine-failed', 502),
    isRetryable: fault.isBeforeAnswer,
    engineFault: fault.message,
    refusal: engineGone(route.ticket.arrival),
  };
}

export function refusedByEngine(refusal: Refusal): Outcome {
  return { ...blank('refused-by-engine', refusal.status), refusal };
}

export function refusedByUs(refusal: Refusal, arrival: Arrival): Outcome {
  const { reason } = arrival.visit.exchange.departure;
  return reason === undefined ? blank('refused', refusal.status) : blank(endingOfDeparture(reason), 499);
}

export function engineGone(arrival: Arrival): Refusal {
  return new Refusal(
    'engine_failed',
    `The engine of \`${arrival.model.id}\` failed before it could answer. Try again in a moment.`,
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
