import { randomUUIDv7 } from 'node:crypto';
import { answerRefusal } from '#dialects/openai-error';
import type { Clock } from '#vocabulary/clock';
import { type Embedder, EmbeddingFailure } from '#vocabulary/embedding';
import type { Reply } from '#vocabulary/exchange';
import type { Logger } from '#vocabulary/logger';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import { exchangeWithoutSocket } from './exchange-without-socket.ts';
import { readEmbeddings } from './read-embeddings.ts';
import { type Rooms, serveInference } from './serve-inference.ts';

/** The service itself asks; the books say in whose name. */
const ownAddress = '127.0.0.1';
/** More than any model has to say about so few texts. */
const maxAnswerBytes = 32 * 1024 ** 2;

/** The way onto the common road for texts that are to become vectors. */
export function createEmbedder(
  rooms: Rooms,
  openMemory: (address: string) => MemoryShare & Disposable,
  clock: Clock,
  logger: Logger,
): Embedder {
  return {
    async embed(ask) {
      using memory = openMemory(ownAddress);
      const reply = new GatheredReply();
      const { modelId, texts, cancellation, personId, projectId, isForSpace, lane } = ask;
      const requestId = randomUUIDv7();
      const body = () => Buffer.from(JSON.stringify({ model: modelId, input: texts }));
      const question = {
        requestId,
        path: '/console/',
        address: ownAddress,
        cancellation,
        reply,
        memory,
        body,
      };
      const exchange = exchangeWithoutSocket(question, clock);
      try {
        const claim = { personId, projectId, isForSpace, lane };
        await serveInference(rooms, rooms.doors.greetForEmbeddings(exchange, claim));
      } catch (thrown) {
        if (!(thrown instanceof Refusal))
          logger.error({ requestId, error: thrown }, 'an embedding ended in a bug');
        const bug = new Refusal('internal_error', 'Something went wrong inside the service.');
        answerRefusal(reply, thrown instanceof Refusal ? thrown : bug);
      }
      if (cancellation.isCancelled) throw new EmbeddingFailure('It was given up.', 'stopped', false);
      const vectors = readEmbeddings(reply.status, reply.text, texts.length);
      return { vectors, isNearLimit: isNearLimit(reply.headers) };
    },
  };
}

class GatheredReply implements Reply {
  readonly bufferedBytes = 0;
  readonly headers = new Map<string, string>();
  hasBegun = false;
  hasEnded = false;
  status = 0;
  #chunks: Buffer[] = [];
  #bytes = 0;

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  showPlace(): void {}

  announce(headers: readonly string[]): void {
    for (let index = 0; index + 1 < headers.length; index += 2)
      this.headers.set(headers[index] ?? '', headers[index + 1] ?? '');
  }

  begin(status: number, headers: readonly string[]): void {
    this.hasBegun = true;
    this.status = status;
    this.announce(headers);
  }

  /** What is too much is let go: then it is no JSON, and counts for nothing. */
  write(chunk: Buffer | string): boolean {
    const bytes = Buffer.from(chunk);
    this.#bytes += bytes.length;
    if (this.#bytes <= maxAnswerBytes) this.#chunks.push(bytes);
    return true;
  }

  onDrain(listener: () => void): void {
    listener();
  }

  end(chunk?: Buffer | string): void {
    if (chunk !== undefined) this.write(chunk);
    this.hasEnded = true;
  }
}

function isNearLimit(headers: ReadonlyMap<string, string>): boolean {
  return ['requests', 'tokens'].some((what) => {
    const limit = Number(headers.get(`x-ratelimit-limit-${what}`));
    const remaining = Number(headers.get(`x-ratelimit-remaining-${what}`));
    return limit > 0 && remaining < limit / 2;
  });
}
