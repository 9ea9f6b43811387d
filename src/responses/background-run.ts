import { isObject, type JsonObject } from '#dialects/json-object';
import { type AnswerObserver, namedFrame } from '#dialects/translation';
import { Cancellation } from '#vocabulary/cancellation';
import type { Reply } from '#vocabulary/exchange';
import type { Refusal } from '#vocabulary/refusal';
import type { ResponseOwner } from '#vocabulary/response-store';
import { EventLog } from './event-log.ts';

/** A response that is written whether anybody listens or not: the reply goes into a log. */
export class BackgroundRun implements Reply, AnswerObserver {
  readonly owner: ResponseOwner;
  readonly log = new EventLog();
  readonly cancellation = new Cancellation();
  readonly bufferedBytes = 0;
  readonly #whenAccepted = Promise.withResolvers<void>();
  readonly #whenOver = Promise.withResolvers<void>();
  #current: JsonObject = {};
  #isStream = false;
  #isAccepted = false;
  isForgotten = false;
  hasBegun = false;
  hasEnded = false;

  constructor(owner: ResponseOwner) {
    this.owner = owner;
    // Whoever waits for it hears of it; nobody has to.
    this.#whenAccepted.promise.catch(() => {});
  }

  /** The response as it stands now. */
  get current(): JsonObject {
    return this.#current;
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
    this.#current = answer;
  }

  cancel(): void {
    if (this.hasEnded) return;
    this.cancellation.cancel('stopped');
    this.#current = { ...this.#current, status: 'cancelled' };
  }

  /** Nobody wants it any more, and it is not to be kept. */
  forget(): void {
    this.isForgotten = true;
    this.cancel();
  }

  /** Refused before or after it was accepted, but not by way of its reply. */
  refuse(refusal: Refusal): void {
    this.#whenAccepted.reject(refusal);
    if (this.#isAccepted && !this.hasEnded) this.#fail({ code: refusal.code, message: refusal.message });
    this.#whenOver.resolve();
  }

  showPlace(): void {}

  announce(): void {}

  begin(status: number): void {
    this.hasBegun = true;
    this.#isStream = status < 400;
    if (this.#isStream && !this.cancellation.isCancelled)
      this.#current = { ...this.#current, status: 'in_progress' };
  }

  write(chunk: Buffer | string): boolean {
    this.log.add(chunk);
    return true;
  }

  onDrain(listener: () => void): void {
    listener();
  }

  end(chunk?: Buffer | string): void {
    if (this.cancellation.reason === 'stopped') this.#finish({ status: 'cancelled', error: null });
    else if (this.#isStream) {
      if (chunk !== undefined) this.log.add(chunk);
      this.#finish({});
    } else this.#fail(errorIn(String(chunk)));
  }

  #fail(error: JsonObject): void {
    const response: JsonObject = { ...this.#current, status: 'failed', error };
    const event = { type: 'response.failed', sequence_number: this.log.lastSequence + 1, response };
    this.log.add(namedFrame(event));
    this.#finish(response);
  }

  #finish(change: JsonObject): void {
    this.#current = { ...this.#current, ...change };
    this.hasEnded = true;
    this.log.end();
    this.#whenOver.resolve();
  }
}

function errorIn(text: string): JsonObject {
  const { error } = JSON.parse(text) as JsonObject;
  const { code, message } = isObject(error) ? error : {};
  return { code, message };
}
