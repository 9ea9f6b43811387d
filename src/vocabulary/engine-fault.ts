/** An engine did not do its part: unreachable, broke off, answered nonsense. Counts against its health. */
export class EngineFault extends Error {
  /** True when the engine had not begun to answer, so that asking again can lose nothing. */
  readonly isBeforeAnswer: boolean;

  constructor(reason: string, details: { readonly isBeforeAnswer: boolean; readonly cause?: unknown }) {
    super(reason, { cause: details.cause });
    this.name = 'EngineFault';
    this.isBeforeAnswer = details.isBeforeAnswer;
  }
}
