import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import {
  addAmounts,
  firstTokenBucket,
  noAmounts,
  type CountedAmounts,
  type ServiceAmounts,
  type ServiceHistoryStore,
  type ServiceStretch,
  type StretchLength,
  stretchMs,
} from '#vocabulary/service-history';
import type { Ending, UsageRecord } from '#vocabulary/usage';

/** What a model is good for at this moment, and how much there is to do. */
export interface ModelMoment {
  readonly model: string;
  /** Undefined while nobody can tell: it was not tried yet. */
  readonly isUp: boolean | undefined;
  readonly waiting: number;
  readonly running: number;
}

const sampleMs = 5000;
const writeMs = 30_000;
const forgetMs = 3_600_000;
/** A machine that slept was not watched. */
const longestSampleMs = 4 * sampleMs;

const keptMs: Readonly<Record<StretchLength, number>> = {
  'five-minutes': 2 * 86_400_000,
  hour: 35 * 86_400_000,
  day: 400 * 86_400_000,
};
const lengths = Object.keys(keptMs) as StretchLength[];

/** How an engine did is told by these alone: refused requests never reached one, callers leave as they like. */
const toldByEngine: ReadonlySet<Ending> = new Set<Ending>(['completed', 'engine-failed', 'caller-left']);

/** Looks at every model every few seconds, counts what ends, and writes sums down twice a minute. */
export class HistoryRecorder {
  readonly #store: ServiceHistoryStore;
  readonly #look: () => readonly ModelMoment[];
  readonly #keepsWatch: () => boolean;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** What is not written yet; as many as there are models. */
  #pending = new Map<string, CountedAmounts>();
  #sampledMs: number;
  #writtenMs: number;
  #forgottenMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: {
    readonly store: ServiceHistoryStore;
    readonly look: () => readonly ModelMoment[];
    /** Of several gateways one says whether models are up; what ran and waited is added up over all. */
    readonly keepsWatch: () => boolean;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.#store = parts.store;
    this.#look = parts.look;
    this.#keepsWatch = parts.keepsWatch;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
    this.#sampledMs = this.#writtenMs = parts.clock.monotonicMs();
  }

  start(): void {
    this.#sampledMs = this.#clock.monotonicMs();
    this.#timer = setInterval(() => this.#sample(), sampleMs).unref();
  }

  /** Writes down what is still in hand. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#sample();
    this.#write();
    await this.#writing;
  }

  finished(record: UsageRecord): void {
    if (record.engine === undefined || !toldByEngine.has(record.ending)) return;
    const { usage, firstByteMs, waitMs } = record;
    let pending = this.#pending.get(record.model);
    if (pending === undefined) this.#pending.set(record.model, (pending = addAmounts(noAmounts, noAmounts)));
    pending.requests++;
    if (record.ending === 'engine-failed') pending.failures++;
    pending.inputTokens += usage.inputTokens;
    pending.cachedTokens += usage.cachedTokens;
    pending.outputTokens += usage.outputTokens;
    if (firstByteMs === undefined) return;
    const bucket = firstTokenBucket(waitMs + firstByteMs);
    pending.firstTokens[bucket] = (pending.firstTokens[bucket] ?? 0) + 1;
  }

  #sample(): void {
    const nowMs = this.#clock.monotonicMs();
    const seconds = Math.min(longestSampleMs, nowMs - this.#sampledMs) / 1000;
    this.#sampledMs = nowMs;
    const watched = this.#keepsWatch() ? seconds : 0;
    for (const { model, isUp, waiting, running } of this.#look()) {
      this.#add(model, {
        ...noAmounts,
        secondsSeen: isUp === undefined ? 0 : watched,
        secondsUp: isUp === true ? watched : 0,
        waitingSeconds: waiting * seconds,
        runningSeconds: running * seconds,
      });
    }
    if (nowMs - this.#writtenMs >= writeMs) this.#write();
  }

  #add(model: string, amounts: ServiceAmounts): void {
    this.#pending.set(model, addAmounts(this.#pending.get(model) ?? noAmounts, amounts));
  }

  /** What cannot be written stays in hand and is written with the next. */
  #write(): void {
    this.#writtenMs = this.#clock.monotonicMs();
    this.#writing = this.#writing.then(async () => {
      const pending = this.#pending;
      this.#pending = new Map();
      try {
        await this.#store.add(this.#stretchesOf(pending));
      } catch (error) {
        for (const [model, amounts] of pending) this.#add(model, amounts);
        this.#logger.warn({ error }, 'how the service did could not be written down; it is tried again');
        return;
      }
      await this.#forgetOld().catch((error: unknown) =>
        this.#logger.warn({ error }, 'old history could not be forgotten; it is tried again'),
      );
    });
  }

  #stretchesOf(pending: ReadonlyMap<string, ServiceAmounts>): readonly ServiceStretch[] {
    const now = this.#clock.wallMs();
    return lengths.flatMap((length) =>
      [...pending].map(([model, amounts]) => ({
        length,
        model,
        startsAt: now - (now % stretchMs[length]),
        ...amounts,
      })),
    );
  }

  async #forgetOld(): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#forgottenMs < forgetMs) return;
    this.#forgottenMs = nowMs;
    for (const length of lengths) await this.#store.forget(length, this.#clock.wallMs() - keptMs[length]);
  }
}
