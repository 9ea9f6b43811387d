import { createHash, hash } from 'node:crypto';
import type { ParsedRequest } from '#vocabulary/inference';
import type { DigestOf } from '#vocabulary/receipts';
import { Roster, type RosterEntry } from '#vocabulary/roster';

/** A tenth of a millisecond or less: so long the frames of others may wait. */
const pieceBytes = 64 * 1024;
/** By then the engine has the question, and nobody waits for us. */
const patienceMs = 5;

/** The digest of a question: the value of `messages` or `prompt`, byte by byte as it stood in the body. */
export interface PromptDigest {
  /** Called once, while the body is there. */
  read(): DigestOf;
}

/**
 * Digests of large questions are counted while their engines work, one piece in each turn of the event loop, so that
 * neither the end of the answer nor anybody else waits for them. Holds as many as there are such requests in flight.
 */
export function createPromptDigests(): { open(request: ParsedRequest): PromptDigest } {
  const counting = new Roster<LargePrompt>();
  let isWaiting = false;

  function countOn(): void {
    isWaiting = false;
    for (const prompt of counting.members()) {
      if (prompt.isOver) prompt.leave();
      else {
        if (!prompt.addPiece()) prompt.leave();
        isWaiting = true;
        setImmediate(countOn);
        return;
      }
    }
  }

  return {
    open(request) {
      const bytes = promptOf(request);
      if (bytes.length <= pieceBytes) return { read: () => digestOf(hash('sha256', bytes), bytes) };
      const prompt = new LargePrompt(bytes, request.exchange, counting);
      if (!isWaiting) setTimeout(countOn, patienceMs).unref();
      isWaiting = true;
      return prompt;
    },
  };
}

class LargePrompt implements PromptDigest {
  readonly #bytes: Buffer;
  readonly #exchange: ParsedRequest['exchange'];
  readonly #counting: Roster<LargePrompt>;
  readonly #entry: RosterEntry;
  readonly #hash = createHash('sha256');
  #counted = 0;

  constructor(bytes: Buffer, exchange: ParsedRequest['exchange'], counting: Roster<LargePrompt>) {
    this.#bytes = bytes;
    this.#exchange = exchange;
    this.#counting = counting;
    this.#entry = counting.add(this);
  }

  /** Nobody will ask for it. */
  get isOver(): boolean {
    return this.#exchange.reply.hasEnded || this.#exchange.cancellation.isCancelled;
  }

  leave(): void {
    this.#counting.remove(this.#entry);
  }

  /** False when that was the last one. A body that was given back has no length. */
  addPiece(): boolean {
    if (this.#counted >= this.#bytes.length) return false;
    const end = this.#counted + pieceBytes;
    this.#hash.update(this.#bytes.subarray(this.#counted, end));
    this.#counted = end;
    return end < this.#bytes.length;
  }

  read(): DigestOf {
    this.leave();
    return digestOf(this.#hash.update(this.#bytes.subarray(this.#counted)).digest('hex'), this.#bytes);
  }
}

function digestOf(sha256: string, { length }: Buffer): DigestOf {
  return { sha256, bytes: length };
}

function promptOf({ envelope }: ParsedRequest): Buffer {
  const field = envelope.fields.get('messages') ?? envelope.fields.get('prompt');
  return envelope.body.subarray(field?.valueStart ?? 0, field?.valueEnd ?? 0);
}
