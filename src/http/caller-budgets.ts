import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';

/** What all callers together, and each address of them, may have here at a time: requests, and bytes in memory. */
export interface CallerBudgets {
  /** Received and not yet sent, of all requests together. */
  readonly heldBytes: number;
  /** One request. Disposed when its answer is over. */
  open(address: string): CallerBudget;
}

export interface CallerBudget extends MemoryShare, Disposable {
  /** Throws a refusal for whoever has their whole share already, before anything is done for them. */
  requireRoom(): void;
  /** The bytes of the answer that the reader has not taken. They are here already, so this refuses nobody. */
  setUnsent(bytes: number): void;
}

export interface BudgetLimits {
  readonly totalBytes: number;
  /** Of one address. */
  readonly callerBytes: number;
  readonly maxRequestsPerAddress: number;
  /** Whoever asks for many others may have any number of requests. */
  readonly isTrustedProxy: (address: string) => boolean;
}

/** New requests leave this part to the answers of those who came before. */
const partForAnswers = 1 / 4;
const secondsToRecover = 5;

/** Remembers as many addresses as have requests here now. */
export function createCallerBudgets(limits: BudgetLimits): CallerBudgets {
  const callers = new Map<string, { bytes: number; requests: number }>();
  const bytesForRequests = limits.totalBytes * (1 - partForAnswers);
  let heldBytes = 0;

  class Budget implements CallerBudget {
    readonly #address: string;
    readonly #caller: { bytes: number; requests: number };
    #takenBytes = 0;
    #unsentBytes = 0;
    #isOver = false;

    constructor(address: string) {
      this.#address = address;
      this.#caller = callers.get(address) ?? { bytes: 0, requests: 0 };
      this.#caller.requests++;
      callers.set(address, this.#caller);
    }

    requireRoom(): void {
      const isCrowd = this.#caller.requests > limits.maxRequestsPerAddress;
      if (isCrowd && !limits.isTrustedProxy(this.#address)) throw tooManyRequests(this.#address);
      if (this.#caller.bytes >= limits.callerBytes) throw callerHoldsTooMuch(this.#address);
    }

    takeForRequest(bytes: number): void {
      if (heldBytes + bytes > bytesForRequests) throw outOfMemory();
      if (this.#caller.bytes + bytes > limits.callerBytes) throw callerHoldsTooMuch(this.#address);
      this.#take(bytes);
    }

    takeForAnswer(bytes: number): void {
      if (heldBytes + bytes > limits.totalBytes) throw outOfMemory();
      this.#take(bytes);
    }

    give(bytes: number): void {
      this.#take(-bytes);
    }

    setUnsent(bytes: number): void {
      this.#count(bytes - this.#unsentBytes);
      this.#unsentBytes = bytes;
    }

    [Symbol.dispose](): void {
      if (this.#isOver) return;
      this.#count(-this.#takenBytes - this.#unsentBytes);
      this.#isOver = true;
      this.#caller.requests--;
      if (this.#caller.requests === 0) callers.delete(this.#address);
    }

    #take(bytes: number): void {
      this.#takenBytes += bytes;
      this.#count(bytes);
    }

    /** What is still written after the end goes nowhere and is not kept. */
    #count(bytes: number): void {
      if (this.#isOver) return;
      heldBytes += bytes;
      this.#caller.bytes += bytes;
    }
  }

  return {
    get heldBytes() {
      return heldBytes;
    },
    open: (address) => new Budget(address),
  };
}

function outOfMemory(): Refusal {
  return new Refusal(
    'service_overloaded',
    'The service holds as many requests and unread answers as it has memory for. Try again after the time in Retry-After.',
    { retryAfterSeconds: secondsToRecover },
  );
}

function callerHoldsTooMuch(address: string): Refusal {
  return new Refusal(
    'rate_limit_exceeded',
    `Requests and unread answers of ${address} fill its share of the memory of this service. Read the answers, and send fewer large requests at a time.`,
    { retryAfterSeconds: secondsToRecover },
  );
}

function tooManyRequests(address: string): Refusal {
  return new Refusal(
    'rate_limit_exceeded',
    `Too many requests of ${address} are being answered at the same time. Wait for some of them to end.`,
    { retryAfterSeconds: secondsToRecover },
  );
}
