import type { Timers } from '#vocabulary/clock';

/** How long an engine with continuous batching takes for its steps, and how many prompts it still holds. */
export interface EngineSpeed {
  readonly stepMs: number;
  readonly stepMsPerSequence: number;
  readonly promptMsPerToken: number;
  /** Prompt tokens read in one step at most. */
  readonly promptTokensPerStep: number;
  /** Steps taken as one, to make large simulations cheap. */
  readonly stride: number;
  /** Tokens of prompts that were read before and are kept; the oldest go first. */
  readonly heldTokens: number;
}

export const ordinarySpeed: EngineSpeed = {
  stepMs: 12,
  stepMsPerSequence: 0.25,
  promptMsPerToken: 0.05,
  promptTokensPerStep: 2048,
  stride: 1,
  heldTokens: 0,
};

export interface Job {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Beginning that other prompts share. */
  readonly prefix: { readonly name: string; readonly tokens: number } | undefined;
  /** So many input tokens were read, and so many written, since the last call. */
  worked(read: number, written: number): void;
  finished(cachedTokens: number): void;
  failed(): void;
}

interface Sequence {
  readonly job: Job;
  readonly cachedTokens: number;
  unread: number;
  unwritten: number;
}

/** One engine: everybody it has accepted is written to in every step, new prompts are read in pieces beside. */
export class EngineModel {
  readonly #timers: Timers;
  readonly #speed: EngineSpeed;
  readonly #held = new Map<string, number>();
  #sequences: Sequence[] = [];
  #step: Disposable | undefined;
  isAlive = true;
  busyMs = 0;

  constructor(timers: Timers, speed: EngineSpeed) {
    this.#timers = timers;
    this.#speed = speed;
  }

  get running(): number {
    return this.#sequences.length;
  }

  accept(job: Job): void {
    if (!this.isAlive) {
      this.#timers.after(1, () => job.failed());
      return;
    }
    const cachedTokens = this.#heldOf(job);
    this.#sequences.push({
      job,
      cachedTokens,
      unread: job.inputTokens - cachedTokens,
      unwritten: job.outputTokens,
    });
    if (this.#step === undefined) this.#begin();
  }

  die(): void {
    this.isAlive = false;
    this.#held.clear();
    for (const { job } of this.forgetAll()) job.failed();
  }

  /** Everybody who asked is gone. */
  forgetAll(): readonly { readonly job: Job }[] {
    this.#step?.[Symbol.dispose]();
    this.#step = undefined;
    const all = this.#sequences;
    this.#sequences = [];
    return all;
  }

  #begin(): void {
    const { stepMs, stepMsPerSequence, promptMsPerToken, promptTokensPerStep, stride } = this.#speed;
    const reads = new Map<Sequence, number>();
    let left = promptTokensPerStep * stride;
    let writing = 0;
    for (const sequence of this.#sequences) {
      if (sequence.unread === 0) writing++;
      const read = Math.min(left, sequence.unread);
      if (read > 0) reads.set(sequence, read);
      left -= read;
    }
    const read = promptTokensPerStep * stride - left;
    const tookMs = stride * (stepMs + stepMsPerSequence * writing) + promptMsPerToken * read;
    const present = new Set(this.#sequences);
    this.#step = this.#timers.after(tookMs, () => {
      this.busyMs += tookMs;
      this.#end(present, reads);
    });
  }

  #end(present: ReadonlySet<Sequence>, reads: ReadonlyMap<Sequence, number>): void {
    const done: Sequence[] = [];
    for (const sequence of this.#sequences) {
      if (!present.has(sequence)) continue;
      const read = reads.get(sequence) ?? 0;
      sequence.unread -= read;
      const written = sequence.unread > 0 ? 0 : Math.min(this.#speed.stride, sequence.unwritten);
      sequence.unwritten -= written;
      sequence.job.worked(read, written);
      if (sequence.unwritten === 0) done.push(sequence);
    }
    this.#sequences = this.#sequences.filter((sequence) => sequence.unwritten > 0);
    this.#step = undefined;
    for (const { job, cachedTokens } of done) {
      this.#hold(job);
      job.finished(cachedTokens);
    }
    if (this.#sequences.length > 0 && this.#step === undefined) this.#begin();
  }

  #heldOf({ prefix }: Job): number {
    const held = prefix === undefined ? undefined : this.#held.get(prefix.name);
    if (prefix === undefined || held === undefined) return 0;
    this.#held.delete(prefix.name);
    this.#held.set(prefix.name, held);
    return held;
  }

  #hold({ prefix }: Job): void {
    if (prefix === undefined || this.#speed.heldTokens === 0) return;
    this.#held.delete(prefix.name);
    this.#held.set(prefix.name, prefix.tokens);
    let sum = 0;
    for (const tokens of this.#held.values()) sum += tokens;
    for (const [name, tokens] of this.#held) {
      if (sum <= this.#speed.heldTokens) return;
      this.#held.delete(name);
      sum -= tokens;
    }
  }
}
