/** A response that is kept for whoever asked for it. Texts are JSON. */
export interface KeptResponse {
  readonly id: string;
  /** Only they can ever see it. */
  readonly owner: ResponseOwner;
  /** Milliseconds since the epoch, like the other times. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Set while somebody writes it, and renewed as long as they do. */
  readonly aliveUntil: number | undefined;
  readonly previousId: string | undefined;
  readonly response: string;
  /** The items of its own question, without those of earlier ones. */
  readonly input: string;
  /** The frames of its stream, for whoever comes back; undefined when they are too long or were never wanted. */
  readonly events: string | undefined;
}

export interface AbandonedResponse extends Pick<KeptResponse, 'id' | 'response'> {
  readonly writerId: string;
}

/** What a process has left of a response that it could not write to its end. */
export interface PutDownAnswer {
  readonly id: string;
  readonly ownerId: string;
  readonly bytes: number;
}

export interface ResponseOwner {
  /** A person, or an address that needs no key. */
  readonly id: string;
  /** With this person everything goes that is theirs. */
  readonly personId: string | undefined;
}

/** Every call may reject when the database cannot be reached. */
export interface ResponseStore {
  /** By which others know the process that writes here. */
  readonly writerId: string;
  /** Writes, or overwrites what was written while it grew. */
  keep(kept: KeptResponse): Promise<void>;
  /** Undefined also when it belongs to somebody else. */
  find(ownerId: string, id: string, now: number): Promise<KeptResponse | undefined>;
  remove(ownerId: string, id: string): Promise<boolean>;
  /** Forgets the oldest of one owner until both bounds hold. */
  trim(ownerId: string, maxCount: number, maxBytes: number): Promise<void>;
  totalBytes(): Promise<number>;
  stayAlive(ids: readonly string[], aliveUntil: number): Promise<void>;
  /**
   * From now on this process writes it, if that one did until now, or another that has died since. Of several only one
   * gets it. Undefined where nobody has to write it any more.
   */
  takeOver(id: string, writerId: string): Promise<KeptResponse | 'written elsewhere' | undefined>;
  /** For whoever takes it over; this process writes no more of it. */
  putDown(id: string, answer: Buffer): Promise<void>;
  /** Of processes that do not live any more. */
  findPutDown(): Promise<readonly PutDownAnswer[]>;
  readPutDown(id: string): Promise<Buffer | undefined>;
  /** Some of those that processes were writing that do not live any more, or just this one. */
  findAbandoned(id?: string): Promise<readonly AbandonedResponse[]>;
  /** Nobody will write it any more. False when somebody else than that process does by now. */
  conclude(kept: Pick<KeptResponse, 'id' | 'response'>, writerId: string): Promise<boolean>;
  /** Gives the number of those that were forgotten. */
  forgetExpired(now: number): Promise<number>;
}
