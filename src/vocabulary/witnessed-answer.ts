/** What one gateway tells another of an answer that is to survive its own death. */
export interface AnswerBeginning {
  /** By which its reader comes back: the id of the request, or what was made of the name that the reader gave it. */
  readonly id: string;
  /** What was asked, as a digest, where the reader gave it a name. */
  readonly question?: string | undefined;
  readonly keyId: string;
  readonly personId: string;
  readonly address: string;
  readonly isAddressCertain: boolean;
  /** The path behind the door's base: `chat/completions`. */
  readonly asked: string;
  /** How long it is kept without a reader. */
  readonly seconds: number;
  /** The id of the request that began it, at the first of its gateways. */
  readonly begunAs: string | undefined;
  /** How many gateways have died with it. */
  readonly lostGateways: number;
  /** Set where it is a response in the background, which has no reader but a place in the database. */
  readonly response?: WitnessedResponse | undefined;
}

export interface WitnessedResponse {
  /** The process that writes it, as the database knows it. */
  readonly writerId: string;
  readonly ownerId: string;
  /** Where it was asked for, at the direct address of a model; undefined where it was asked for with a key. */
  readonly directPath: string | undefined;
}

/** What is to be told of one answer, before its own reader hears of it. */
export interface AnswerTold {
  /** Whether somebody knows of it, and goes on with it when this gateway is gone. */
  readonly hasWitness: boolean;
  /** Resolves when its beginning will outlive this process, or cannot; undefined where that is so at once. */
  readonly whenKnown?: Promise<void> | undefined;
  /** Those that belong together, so that nobody has to go on in the middle of them. */
  frames(frames: readonly Buffer[]): void;
  end(): void;
  forget(): void;
  /** This gateway writes no more of it: whoever knows of it goes on with it now. False when nobody does. */
  handOn(): boolean;
}

/** All that was written of an answer, for a witness that comes late. */
export interface ToldFrames {
  /** Whether everything after this frame is here; they are counted from 1. */
  has(number: number): boolean;
  after(number: number): readonly Buffer[];
}

/** All that another gateway knows of it. */
export interface WitnessedAnswer extends AnswerBeginning {
  readonly body: Buffer;
  /** Of the answer, name after name. */
  readonly headers: readonly string[];
  /** From the first one on, with their numbers. */
  readonly frames: readonly Buffer[];
  readonly hasEnded: boolean;
}
