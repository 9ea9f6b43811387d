import type { Caller } from '#vocabulary/caller';
import type { Clock } from '#vocabulary/clock';
import type { Outcome, ParsedRequest } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { Metrics } from '#vocabulary/metrics';
import { Refusal } from '#vocabulary/refusal';
import { Roster } from '#vocabulary/roster';
import type { TokenUsage, UsageJournal, UsageOpening, UsageRecord } from '#vocabulary/usage';
import { unaccountable } from './endings.ts';

/** Turns what happened to a request into its one usage record, its metrics and its log line. */
export interface Bookkeeper {
  /** Refuses what could not be accounted for. The prompt of an inherited answer is on the books already. */
  open(request: ParsedRequest, caller: Caller, isInherited: boolean): RequestAccount;
  /** A bug is logged with its cause and answered as what it is. */
  noteBug(thrown: unknown, request: ParsedRequest): Refusal;
  stop(): void;
}

/** What one request will be charged for. */
export interface RequestAccount {
  /** True when it is written down that there is such a request: only now may an engine hear of it. */
  readonly isOpened: Promise<boolean>;
  /** From now on it is written down every second what was used so far, until the account is settled. */
  follow(served: Served, readUsage: () => TokenUsage): void;
  /** Called once. Resolves with true when the record has left the process, with false when it could not. */
  settle(outcome: Outcome, served: Served | undefined, receipt: string | undefined): Promise<boolean>;
}

/** Which engine served, after which wait; undefined when it never came to that. */
export interface Served {
  readonly engineName: string;
  readonly waitMs: number;
  /** Exact once the turn is settled. */
  readCost(): number;
}

/** A little less than a second, so that what a kill can cost stays below one. */
const checkpointMs = 900;

export function createBookkeeper(parts: {
  readonly journal: UsageJournal;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}): Bookkeeper {
  const { journal, metrics, clock, logger } = parts;
  /** As many as there are streams in flight. */
  const followed = new Roster<FollowedStream>();
  const timer = setInterval(() => {
    for (const stream of followed.members()) stream.checkpoint(journal, clock);
  }, checkpointMs).unref();

  return {
    open(request, caller, isInherited) {
      if (journal.obstacle() !== undefined) throw unaccountable();
      const opening: UsageOpening = {
        requestId: request.exchange.requestId,
        startedAt: request.exchange.receivedAt,
        door: request.door,
        caller,
        address: request.address,
        endpoint: request.spoken,
        model: request.model.id,
        requestBytes: isInherited ? 0 : request.envelope.body.length,
        project: request.share.projectId,
      };
      const isOpened = journal.open(opening);
      let unfollow: (() => void) | undefined;
      return {
        isOpened,
        follow(served, readUsage) {
          unfollow?.();
          const entry = followed.add(
            new FollowedStream(opening, served, request.exchange.startedMs, readUsage),
          );
          unfollow = () => followed.remove(entry);
        },
        settle(outcome, served, receipt) {
          unfollow?.();
          const durationMs = clock.monotonicMs() - request.exchange.startedMs;
          const record: UsageRecord = {
            ...opening,
            engine: served?.engineName,
            ending: outcome.ending,
            status: outcome.status,
            usage: outcome.usage,
            waitMs: served?.waitMs ?? 0,
            firstByteMs: outcome.firstByteMs,
            durationMs,
            cost: served?.readCost() ?? 0,
            continuations: outcome.continuations ?? 0,
            receipt,
          };
          const hasLeft = journal.settle(record);
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
              continuations: record.continuations || undefined,
            },
            'request finished',
          );
          return hasLeft;
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
    stop: () => clearInterval(timer),
  };
}

/** A stream as it would stand in the books if the process were killed now. */
class FollowedStream {
  readonly #opening: UsageOpening;
  readonly #served: Served;
  readonly #startedMs: number;
  readonly #readUsage: () => TokenUsage;
  #written = -1;

  constructor(opening: UsageOpening, served: Served, startedMs: number, readUsage: () => TokenUsage) {
    this.#opening = opening;
    this.#served = served;
    this.#startedMs = startedMs;
    this.#readUsage = readUsage;
  }

  checkpoint(journal: UsageJournal, clock: Clock): void {
    const usage = this.#readUsage();
    if (usage.outputTokens === this.#written) return;
    this.#written = usage.outputTokens;
    journal.checkpoint({
      ...this.#opening,
      engine: this.#served.engineName,
      ending: 'interrupted',
      status: 200,
      usage,
      waitMs: this.#served.waitMs,
      firstByteMs: undefined,
      durationMs: clock.monotonicMs() - this.#startedMs,
      cost: this.#served.readCost(),
    });
  }
}
