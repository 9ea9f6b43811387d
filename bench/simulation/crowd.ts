import type { Answered } from './simulated-gateway.ts';
import type { Question } from './simulated-request.ts';
import type { World } from './world.ts';

/** Somebody who asks, reads, thinks and asks again. */
export interface CallerPlan {
  readonly key: string;
  /** Questions at once. */
  readonly width: number;
  readonly thinkMs: () => number;
  readonly question: () => Question;
  readonly beginsMs?: number;
  readonly endsMs?: number;
}

export interface Crowd {
  add(plan: CallerPlan): void;
  /** The answers of one caller so far. */
  answersOf(key: string): readonly Answered[];
  all(): Iterable<readonly Answered[]>;
}

const retryMs = 1000;

/** Whoever is refused or loses the connection comes again a second later. */
export function createCrowd(
  { time }: World,
  ask: (key: string, question: Question) => Promise<Answered>,
): Crowd {
  const answers = new Map<string, Answered[]>();
  return {
    add(plan) {
      const theirs = answers.get(plan.key) ?? [];
      answers.set(plan.key, theirs);
      for (let one = 0; one < plan.width; one++)
        time.after(plan.beginsMs ?? 0, () => void askOn(plan, theirs));
    },
    answersOf: (key) => answers.get(key) ?? [],
    all: () => answers.values(),
  };

  async function askOn(plan: CallerPlan, theirs: Answered[]): Promise<void> {
    const answered = await ask(plan.key, plan.question());
    theirs.push(answered);
    const pauseMs = answered.ending === 'completed' ? plan.thinkMs() : retryMs;
    if (time.monotonicMs() + pauseMs >= (plan.endsMs ?? Infinity)) return;
    time.after(pauseMs, () => void askOn(plan, theirs));
  }
}

/** The same numbers in every run. */
export function createDice(seed = 1): {
  readonly between: (least: number, most: number) => number;
  readonly exponential: (mean: number) => number;
} {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    between: (least, most) => Math.floor(least + unit() * (most - least + 1)),
    exponential: (mean) => -mean * Math.log(1 - unit()),
  };
}
