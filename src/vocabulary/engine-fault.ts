/**
 * Where a request may be tried once more whose engine failed before the caller saw anything.
 * - `anywhere`: it never reached the engine.
 * - `once-more`: its connection broke before an answer, as one does that has been idle for too long. But the request
 *   may also be what killed the engine: an engine of our own does not get it again.
 * - `elsewhere`: the engine has read it and answered badly or not at all. Only another one that is not our own.
 */
export type Retry = 'anywhere' | 'once-more' | 'elsewhere' | 'never';

/** An engine did not do its part: unreachable, broke off, answered nonsense. Counts against its health. */
export class EngineFault extends Error {
  readonly retry: Retry;
  /** It gave no sign of life for too long. */
  readonly isSilence: boolean;
  /** Its line broke: it may have died. */
  readonly isCut: boolean;
  /** When it wants to be asked again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: string,
    details: {
      readonly retry: Retry;
      readonly isSilence?: boolean;
      readonly isCut?: boolean;
      readonly retryAfterSeconds?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(reason, { cause: details.cause });
    this.name = 'EngineFault';
    this.retry = details.retry;
    this.isSilence = details.isSilence ?? false;
    this.isCut = details.isCut ?? false;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
