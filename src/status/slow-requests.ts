import type { Clock } from '#vocabulary/clock';
import type { UsageRecord } from '#vocabulary/usage';

/** A request whose first word was long in coming. Nothing of what was asked or answered. */
export type SlowRequest = Pick<
  UsageRecord,
  | 'requestId'
  | 'startedAt'
  | 'door'
  | 'model'
  | 'project'
  | 'engine'
  | 'ending'
  | 'waitMs'
  | 'firstByteMs'
  | 'durationMs'
>;

const kept = 10;
const slotMs = 3_600_000;
const slotCount = 24;
/** Nobody calls less than this slow. */
const leastMs = 1000;

/** The slowest of each of the last 24 hours: at most ten times that many. */
export class SlowRequests {
  readonly #clock: Clock;
  #slots: { readonly hour: number; readonly requests: SlowRequest[] }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(record: UsageRecord): void {
    if (slownessOf(record) < leastMs) return;
    const requests = this.#current();
    const last = requests.at(-1);
    if (requests.length >= kept && last !== undefined && slownessOf(last) >= slownessOf(record)) return;
    const { requestId, startedAt, door, model, project, engine, ending } = record;
    const { waitMs, firstByteMs, durationMs } = record;
    requests.push({
      requestId,
      startedAt,
      door,
      model,
      project,
      engine,
      ending,
      waitMs,
      firstByteMs,
      durationMs,
    });
    requests.sort(slowestFirst);
    requests.length = Math.min(kept, requests.length);
  }

  /** Of the last day, slowest first. */
  list(): readonly SlowRequest[] {
    this.#current();
    return this.#slots
      .flatMap(({ requests }) => requests)
      .sort(slowestFirst)
      .slice(0, kept);
  }

  #current(): SlowRequest[] {
    const hour = Math.floor(this.#clock.monotonicMs() / slotMs);
    const newest = this.#slots.at(-1);
    if (newest?.hour === hour) return newest.requests;
    const requests: SlowRequest[] = [];
    this.#slots = [...this.#slots.filter((slot) => slot.hour > hour - slotCount), { hour, requests }];
    return requests;
  }
}

/** Until the first byte; of a request that got none, until its end. */
function slownessOf({ waitMs, firstByteMs, durationMs }: SlowRequest): number {
  return firstByteMs === undefined ? durationMs : waitMs + firstByteMs;
}

function slowestFirst(one: SlowRequest, other: SlowRequest): number {
  return slownessOf(other) - slownessOf(one);
}
