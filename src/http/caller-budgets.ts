import { neighbourhoodOf } from '#vocabulary/address';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';

/**
 * What all callers together, and each address of them, may have here at a time: requests, and bytes in memory. All
 * addresses of one IPv6 /64, which cost nothing, have as many bytes as two.
 */
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
  const callers = new Map<string, Caller>();
  const neighbourhoods = new Map<string, Neighbourhood>();
  const bytesForRequests = limits.totalBytes * (1 - partForAnswers);
  let heldBytes = 0;

  class Budget implements CallerBudget {
    readonly #address: string;
    readonly #caller: Caller;
    #takenBytes = 0;
    #unsentBytes = 0;
    #isOver = false;

    constructor(address: string) {
      this.#address = address;
      this.#caller = callers.get(address) ?? arrive(address);
      this.#caller.requests++;
    }

    requireRoom(): void {
      const isCrowd = this.#caller.requests > limits.maxRequestsPerAddress;
      if (isCrowd && !limits.isTrustedProxy(this.#address)) throw tooManyRequests(this.#address);
      if (!this.#hasRoomFor(1)) throw callerHoldsTooMuch(this.#address);
    }

    takeForRequest(bytes: number): void {
      if (heldBytes + bytes > bytesForRequests) throw outOfMemory();
      if (!this.#hasRoomFor(bytes)) throw callerHoldsTooMuch(this.#address);
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
      if (this.#caller.requests === 0) leave(this.#address, this.#caller);
    }

    #hasRoomFor(bytes: number): boolean {
      const { bytes: held, neighbourhood } = this.#caller;
      if (held + bytes > limits.callerBytes) return false;
      return neighbourhood === undefined || neighbourhood.bytes + bytes <= 2 * limits.callerBytes;
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
      if (this.#caller.neighbourhood !== undefined) this.#caller.neighbourhood.bytes += bytes;
    }
  }

  function arrive(address: string): Caller {
    const name = neighbourhoodOf(address);
    let neighbourhood: Neighbourhood | undefined;
    if (name !== address) {
      neighbourhood = neighbourhoods.get(name) ?? { name, bytes: 0, callers: 0 };
      neighbourhood.callers++;
      neighbourhoods.set(name, neighbourhood);
    }
    const caller = { bytes: 0, requests: 0, neighbourhood };
    callers.set(address, caller);
    return caller;
  }

  function leave(address: string, { neighbourhood }: Caller): void {
    callers.delete(address);
    if (neighbourhood !== undefined && --neighbourhood.callers === 0)
      neighbourhoods.delete(neighbourhood.name);
  }

  return {
    get heldBytes() {
      return heldBytes;
    },
    open: (address) => new Budget(address),
  };
}

interface Caller {
  bytes: number;
  requests: number;
  readonly neighbourhood: Neighbourhood | undefined;
}

interface Neighbourhood {
  readonly name: string;
  bytes: number;
  callers: number;
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
