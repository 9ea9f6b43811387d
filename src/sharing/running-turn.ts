import type { Turn } from '#vocabulary/inference';
import type { Roster, RosterEntry } from '#vocabulary/roster';
import type { AnswerProgress } from '#vocabulary/sharing';
import { noUsage, type TokenUsage } from '#vocabulary/usage';
import type { CostModel } from './cost.ts';
import type { FairLine, Standing } from './fair-line.ts';
import type { Reservation } from './limit-keeper.ts';

interface TurnParts {
  readonly line: FairLine;
  readonly standing: Standing;
  readonly progress: AnswerProgress;
  readonly waitMs: number;
  readonly costs: CostModel;
  readonly running: Roster<RunningTurn>;
  readonly reservation: Pick<Reservation, 'settle'>;
}

/** Charged with an estimate when it begins, with more while the answer outgrows it, with the truth in the end. */
export class RunningTurn implements Turn {
  readonly #parts: TurnParts;
  readonly #entry: RosterEntry;
  #isSettled = false;
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

  get cost(): number {
    return this.#parts.standing.charged;
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
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { request } = this.route;
    const cost = costs.costOf(request.model.id, usage);
    line.charge(standing, cost - standing.charged);
    this.#parts.reservation.settle({ tokens: usage.inputTokens + usage.outputTokens, cost });
    costs.learn(request, usage);
  }

  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.settle(noUsage);
    const { line, standing, running } = this.#parts;
    running.remove(this.#entry);
    line.end(standing);
  }
}
