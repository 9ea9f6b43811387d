import type { EngineDrift, TokenComparison } from '#contract/operations';
import type { EngineCounters, EngineDefinition } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { EngineTokens } from './shared-tokens.ts';

export interface ReconciliationParts {
  readonly engines: () => readonly EngineDefinition[];
  /** 'none' when the engine does not count, undefined when it cannot be asked now. */
  readonly readCounters: (engine: EngineDefinition) => Promise<EngineCounters | 'none' | undefined>;
  readonly clock: Clock;
}

const readMs = 15_000;
const hourMs = 3_600_000;
const keptHours = 48;
const dayHours = 24;

/**
 * Our sums of every engine's tokens beside the engine's own counters, hour by hour. Both are written down at the same
 * moment, when the engine has just been read: what lies between two readings, and what an engine counted before we
 * knew it, belongs to neither side.
 */
export class Reconciliation {
  readonly #parts: ReconciliationParts;
  readonly #accounts = new Map<string, EngineAccount>();
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ReconciliationParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.read();
    this.#timer = setInterval(() => void this.read(), readMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whoever asks while the engines are being read waits for the same reading. */
  read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  used(engineName: string, usage: EngineTokens): void {
    this.#accountOf(engineName).used(usage);
  }

  report(): readonly EngineDrift[] {
    const sinceMs = this.#parts.clock.wallMs() - dayHours * hourMs;
    return this.#parts.engines().map(({ name, kind }) => {
      const { counters, hours } = this.#accountOf(name);
      return {
        name,
        kind,
        counters,
        day: compare(addUp(hours.filter(({ at }) => at > sinceMs))),
        hours: hours.map((hour) => ({ at: hour.at, isWhole: hour.isWhole, ...compare(hour) })).toReversed(),
      };
    });
  }

  /** Engines that the settings no longer name are forgotten. */
  keepOnly(engineNames: ReadonlySet<string>): void {
    for (const name of this.#accounts.keys()) if (!engineNames.has(name)) this.#accounts.delete(name);
  }

  async #readAll(): Promise<void> {
    await Promise.all(
      this.#parts.engines().map(async (engine) => {
        const counters = await this.#parts.readCounters(engine);
        this.#accountOf(engine.name).counted(counters, this.#parts.clock.wallMs());
      }),
    );
  }

  #accountOf(engineName: string): EngineAccount {
    let account = this.#accounts.get(engineName);
    if (account === undefined) this.#accounts.set(engineName, (account = new EngineAccount()));
    return account;
  }
}

interface Sums {
  ourInput: number;
  ourOutput: number;
  theirInput: number;
  theirOutput: number;
}

interface Hour extends Sums {
  readonly at: number;
  isWhole: boolean;
}

class EngineAccount {
  counters: EngineDrift['counters'] = 'unread';
  /** Oldest first. */
  readonly hours: Hour[] = [];
  #last: EngineCounters | undefined;
  /** Ours since the last reading. */
  #used = { input: 0, cached: 0, output: 0 };

  used({ inputTokens, cachedTokens, outputTokens }: EngineTokens): void {
    this.#used.input += inputTokens;
    this.#used.cached += Math.min(cachedTokens, inputTokens);
    this.#used.output += outputTokens;
  }

  counted(counters: EngineCounters | 'none' | undefined, nowMs: number): void {
    if (counters === undefined) return;
    this.counters = counters === 'none' ? 'none' : 'read';
    if (counters === 'none') return;
    const last = this.#last;
    const used = this.#used;
    this.#last = counters;
    this.#used = { input: 0, cached: 0, output: 0 };
    const hour = this.#hourOf(nowMs);
    // A counter that went down began anew. What both sides had since the last reading cannot be compared any more.
    if (
      last === undefined ||
      counters.inputTokens < last.inputTokens ||
      counters.outputTokens < last.outputTokens
    ) {
      hour.isWhole = false;
      return;
    }
    hour.ourInput += counters.includesCached ? used.input : used.input - used.cached;
    hour.ourOutput += used.output;
    hour.theirInput += counters.inputTokens - last.inputTokens;
    hour.theirOutput += counters.outputTokens - last.outputTokens;
  }

  #hourOf(nowMs: number): Hour {
    const at = nowMs - (nowMs % hourMs);
    const known = this.hours.find((hour) => hour.at === at);
    if (known !== undefined) return known;
    const fresh = { at, isWhole: true, ...noSums };
    this.hours.push(fresh);
    // A clock that was set back makes an hour that is older than the last one.
    this.hours.sort((one, other) => one.at - other.at);
    if (this.hours.length > keptHours) this.hours.shift();
    return fresh;
  }
}

const noSums: Readonly<Sums> = { ourInput: 0, ourOutput: 0, theirInput: 0, theirOutput: 0 };

function addUp(hours: readonly Hour[]): Sums {
  return hours.reduce<Sums>(
    (sum, hour) => ({
      ourInput: sum.ourInput + hour.ourInput,
      ourOutput: sum.ourOutput + hour.ourOutput,
      theirInput: sum.theirInput + hour.theirInput,
      theirOutput: sum.theirOutput + hour.theirOutput,
    }),
    noSums,
  );
}

function compare(sums: Sums): { input: TokenComparison; output: TokenComparison } {
  return {
    input: { ours: sums.ourInput, theirs: sums.theirInput, drift: drift(sums.ourInput, sums.theirInput) },
    output: {
      ours: sums.ourOutput,
      theirs: sums.theirOutput,
      drift: drift(sums.ourOutput, sums.theirOutput),
    },
  };
}

/** As a part of the larger, so that it lies between −1 and 1 whatever an engine says. */
function drift(ours: number, theirs: number): number | null {
  const larger = Math.max(ours, theirs);
  return larger === 0 ? null : (theirs - ours) / larger;
}
