import type { Clock } from '#vocabulary/clock';
import type { UsageRecord } from '#vocabulary/usage';

/** What an engine did for us in the last minutes. */
export interface EngineActivity {
  /** Over the last half minute, also of answers that are still being written. */
  readonly outputTokensPerSecond: number;
  /** Over the last five minutes. */
  readonly requests: number;
  readonly failures: number;
  /** The part of the prompts that the engine still held; undefined without any prompt. */
  readonly cachedPart: number | undefined;
  /** When an answer with text last ended well; milliseconds since the epoch. */
  readonly lastGenerationAt: number | undefined;
}

const cellMs = 5000;
const cellCount = 60;
const throughputCells = 6;

/** Counts by engine, in a ring of five-second cells. As many rings as the settings name engines. */
export class ActivityBoard {
  readonly #clock: Clock;
  readonly #rings = new Map<string, Ring>();
  /** Tokens that were counted while an answer was being written; as many as there are streams in flight. */
  readonly #counted = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  progressed({ requestId, engine, usage }: UsageRecord): void {
    if (engine === undefined) return;
    const before = this.#counted.get(requestId) ?? 0;
    this.#counted.set(requestId, usage.outputTokens);
    this.#ringOf(engine).cell(this.#clock.monotonicMs()).outputTokens += Math.max(
      0,
      usage.outputTokens - before,
    );
  }

  finished(record: UsageRecord): void {
    const { requestId, engine, usage, ending } = record;
    const before = this.#counted.get(requestId) ?? 0;
    this.#counted.delete(requestId);
    if (engine === undefined) return;
    const ring = this.#ringOf(engine);
    const cell = ring.cell(this.#clock.monotonicMs());
    cell.outputTokens += Math.max(0, usage.outputTokens - before);
    cell.inputTokens += usage.inputTokens;
    cell.cachedTokens += usage.cachedTokens;
    cell.requests++;
    if (ending === 'engine-failed') cell.failures++;
    if (ending === 'completed' && usage.outputTokens > 0) ring.lastGenerationAt = this.#clock.wallMs();
  }

  read(engineName: string): EngineActivity {
    const ring = this.#rings.get(engineName);
    const nowMs = this.#clock.monotonicMs();
    const recent = ring?.cells(nowMs, cellCount) ?? [];
    const sum = (cells: readonly Cell[], of: Exclude<keyof Cell, 'number'>) =>
      cells.reduce((total, cell) => total + cell[of], 0);
    const inputTokens = sum(recent, 'inputTokens');
    return {
      outputTokensPerSecond:
        sum(ring?.cells(nowMs, throughputCells) ?? [], 'outputTokens') / ((throughputCells * cellMs) / 1000),
      requests: sum(recent, 'requests'),
      failures: sum(recent, 'failures'),
      cachedPart: inputTokens === 0 ? undefined : sum(recent, 'cachedTokens') / inputTokens,
      lastGenerationAt: ring?.lastGenerationAt,
    };
  }

  /** Engines that the settings no longer name are forgotten. */
  keepOnly(engineNames: ReadonlySet<string>): void {
    for (const name of this.#rings.keys()) if (!engineNames.has(name)) this.#rings.delete(name);
  }

  #ringOf(engineName: string): Ring {
    let ring = this.#rings.get(engineName);
    if (ring === undefined) this.#rings.set(engineName, (ring = new Ring()));
    return ring;
  }
}

interface Cell {
  /** Which five seconds of the clock it stands for. */
  number: number;
  requests: number;
  failures: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}

class Ring {
  readonly #cells: Cell[] = [];
  lastGenerationAt: number | undefined;

  cell(nowMs: number): Cell {
    const number = Math.floor(nowMs / cellMs);
    const place = number % cellCount;
    const found = this.#cells[place];
    if (found?.number === number) return found;
    const fresh = { number, requests: 0, failures: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    this.#cells[place] = fresh;
    return fresh;
  }

  /** The cells of the last so many stretches, the one of now included. */
  cells(nowMs: number, count: number): readonly Cell[] {
    const now = Math.floor(nowMs / cellMs);
    return this.#cells.filter(
      (cell) => cell !== undefined && cell.number > now - count && cell.number <= now,
    );
  }
}
