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
  /** How many gateways have died with it. */
  readonly lostGateways: number;
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
