import { isObject, type JsonObject } from '#dialects/json-object';
import { isLastEvent } from '#dialects/responses/recall-response';
import { frameData } from '#dialects/sse';
import { type AnswerObserver, namedFrame } from '#dialects/translation';
import { Cancellation } from '#vocabulary/cancellation';
import type { Reply } from '#vocabulary/exchange';
import type { Refusal } from '#vocabulary/refusal';
import type { ResponseOwner } from '#vocabulary/response-store';
import type { AnswerTold, ToldFrames } from '#vocabulary/witnessed-answer';
import { EventLog } from './event-log.ts';

/** What another gateway has written of a response before it died. */
export interface BegunResponse {
  readonly response: JsonObject;
  readonly frames: readonly Buffer[];
  /** Without a last event it was cancelled. */
  readonly hasEnded: boolean;
}

/** A response that is written whether anybody listens or not: the reply goes into a log. */
export class BackgroundRun implements Reply, AnswerObserver {
  readonly owner: ResponseOwner;
  readonly log = new EventLog();
  readonly cancellation = new Cancellation();
  readonly bufferedBytes = 0;
  readonly isInherited: boolean;
  readonly #whenAccepted = Promise.withResolvers<void>();
  readonly #whenOver = Promise.withResolvers<void>();
  #current: JsonObject = {};
  #isStream = false;
  #isAccepted = false;
  #isKept = false;
  #told: AnswerTold | undefined;
  /** Called when it is begun; whoever reads the database is to see that. */
  onBegun = () => {};
  /** Told the headers that are for whoever asked. */
  onAnnounced: Reply['announce'] = () => {};
  /** Resolves with whether others can find it in the database. */
  whenWritten: Promise<boolean> = Promise.resolve(true);
  isForgotten = false;
  hasBegun = false;
  hasEnded = false;

  constructor(owner: ResponseOwner, begun?: BegunResponse) {
    this.owner = owner;
    // Whoever waits for it hears of it; nobody has to.
    this.#whenAccepted.promise.catch(() => {});
    this.isInherited = begun !== undefined;
    this.cancellation.onCancel((reason) => {
      if (reason === 'shutdown') this.#told?.handOn();
    });
    if (begun === undefined) return;
    const { response, frames, hasEnded } = begun;
    this.#isAccepted = true;
    this.hasBegun = frames.length > 0;
    this.#isStream = this.hasBegun;
    this.#current = this.hasBegun ? { ...response, status: 'in_progress' } : response;
    for (const frame of frames) this.log.add(frame);
    const last = frames.at(-1);
    const final = last && finalResponse(last);
    if (final !== undefined) this.#finish({ ...final, store: true });
    else if (hasEnded) this.#finish({ status: 'cancelled', error: null });
  }

  /** The response as it stands now. */
  get current(): JsonObject {
    return this.#current;
  }

  /** Others go on with it when this gateway is gone: what is said of it here from now on means nothing. */
  get isHandedOn(): boolean {
    return this.cancellation.reason === 'shutdown' && this.#told?.hasWitness === true;
  }

  /** Rejects with the refusal when it never comes to an answer. */
  whenAccepted(): Promise<void> {
    return this.#whenAccepted.promise;
  }

  whenOver(): Promise<void> {
    return this.#whenOver.promise;
  }

  accepted(draft: JsonObject): void {
    this.#isAccepted = true;
    this.#current = { ...draft, status: 'queued' };
    this.#whenAccepted.resolve();
  }

  finished(answer: JsonObject): void {
    if (!this.isHandedOn) this.#current = answer;
  }

  /** From now on somebody else knows of it, who goes on with it if this gateway dies; or when this has resolved. */
  tell(begin: (frames: ToldFrames) => AnswerTold): Promise<void> | undefined {
    if (this.#isKept || this.isForgotten) return undefined;
    const { log } = this;
    this.#told = begin({
      has: () => log.isWhole,
      after: () => log.after(-1, Infinity)?.map(({ frame }) => Buffer.from(frame)) ?? [],
    });
    if (this.hasEnded) this.#told.end();
    return this.#told.whenKnown;
  }

  /** It stands in the database as it is: nobody has to go on with it. */
  kept(): void {
    if (this.isHandedOn) return;
    this.#isKept = true;
    this.#told?.forget();
  }

  cancel(): void {
    if (this.hasEnded) return;
    this.cancellation.cancel('stopped');
    this.#current = { ...this.#current, status: 'cancelled' };
    this.#told?.end();
  }

  /** Nobody wants it any more, and it is not to be kept. */
  forget(): void {
    this.isForgotten = true;
    this.cancel();
    this.#told?.forget();
  }

  /** Refused before or after it was accepted, but not by way of its reply. */
  refuse(refusal: Refusal): void {
    this.#whenAccepted.reject(refusal);
    if (this.#isAccepted && !this.hasEnded) this.#fail({ code: refusal.code, message: refusal.message });
    this.#whenOver.resolve();
  }

  showPlace(): void {}

  announce(headers: readonly string[]): void {
    this.onAnnounced(headers);
  }

  begin(status: number): void {
    this.hasBegun = true;
    this.#isStream = status < 400;
    if (!this.#isStream || this.cancellation.isCancelled) return;
    this.#current = { ...this.#current, status: 'in_progress' };
    this.onBegun();
  }

  write(chunk: Buffer | string): boolean {
    this.#add(chunk);
    return true;
  }

  onDrain(listener: () => void): void {
    listener();
  }

  end(chunk?: Buffer | string): void {
    if (this.cancellation.reason === 'stopped') this.#finish({ status: 'cancelled', error: null });
    else if (this.#isStream) {
      if (chunk !== undefined) this.#add(chunk);
      this.#finish({});
    } else this.#fail(errorIn(String(chunk)));
  }

  #add(chunk: Buffer | string): void {
    if (this.isHandedOn) return;
    // Before its readers get it: whoever goes on with it knows everything that they know.
    this.log.add(chunk, (frames) => this.#told?.frames(frames.map((frame) => Buffer.from(frame))));
  }

  #fail(error: JsonObject): void {
    const response: JsonObject = { ...this.#current, status: 'failed', error };
    const event = { type: 'response.failed', sequence_number: this.log.lastSequence + 1, response };
    this.#add(namedFrame(event));
    this.#finish(response);
  }

  #finish(change: JsonObject): void {
    this.hasEnded = true;
    // Whoever follows it here loses their connection with this process, not the rest of their response.
    if (!this.isHandedOn) {
      this.#current = { ...this.#current, ...change };
      this.#told?.end();
      this.log.end();
    }
    this.#whenOver.resolve();
  }
}

function errorIn(text: string): JsonObject {
  const { error } = JSON.parse(text) as JsonObject;
  const { code, message } = isObject(error) ? error : {};
  return { code, message };
}

/** As it stands in the last event of its stream; undefined when this is not the last one. */
function finalResponse(frame: Buffer): JsonObject | undefined {
  const event = JSON.parse(frameData(frame) ?? '{}') as JsonObject;
  return isLastEvent(event) && isObject(event.response) ? event.response : undefined;
}
