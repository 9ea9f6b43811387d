import type { Turn } from '#vocabulary/inference';
import type { Roster, RosterEntry } from '#vocabulary/roster';
import type { AnswerProgress } from '#vocabulary/sharing';
import type { TokenUsage } from '#vocabulary/usage';
import type { CostModel } from './cost.ts';
import type { FairLine, Standing } from './fair-line.ts';

interface TurnParts {
  readonly line: FairLine;
  readonly standing: Standing;
  readonly progress: AnswerProgress;
  readonly waitMs: number;
  readonly costs: CostModel;
  readonly running: Roster<RunningTurn>;
}

/** Charged with an estimate when it begins, with more while the answer outgrows it, with the truth in the end. */
export class RunningTurn implements Turn {
  readonly #parts: TurnParts;
  readonly #entry: RosterEntry;
  #isOver = false;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#entry = parts.running.add(this);
  }

  get route(): Turn['route'] {
    return this.#parts.standing.route;
  }

  get waitMs(): number {
    return this.#parts.waitMs;
  }

  chargeProgress(): void {
    const { line, standing, progress, costs } = this.#parts;
    const { estimate } = standing;
    if (progress.outputTokens <= estimate.outputTokens) return;
    const cost = costs.costOf(this.route.request.model.id, {
      inputTokens: estimate.inputTokens,
      outputTokens: progress.outputTokens,
      cachedTokens: 0,
    });
    line.charge(standing, cost - standing.charged);
  }

  settle(usage: TokenUsage): void {
    const { line, standing, costs } = this.#parts;
    if (this.#isOver) return;
    const { request } = this.route;
    line.charge(standing, costs.costOf(request.model.id, usage) - standing.charged);
    costs.learn(request, usage);
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { line, standing, running } = this.#parts;
    running.remove(this.#entry);
    line.end(standing);
  }
}
