import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import type { MemoryShare } from '#vocabulary/memory-share';

export interface QuestionWithoutSocket extends Pick<
  Exchange,
  'requestId' | 'path' | 'cancellation' | 'reply'
> {
  /** In whose name it is asked. */
  readonly address: string;
  readonly memory: MemoryShare;
  readonly body: () => Buffer;
}

/** What the service asks itself walks the same road as everybody's requests. */
export function exchangeWithoutSocket(
  { address, memory, body, ...question }: QuestionWithoutSocket,
  clock: Clock,
): Exchange {
  return {
    ...question,
    method: 'POST',
    query: '',
    headers: {},
    countHeader: () => 0,
    peerAddress: address,
    receivedAt: clock.wallMs(),
    startedMs: clock.monotonicMs(),
    memory,
    async readBody() {
      const bytes = body();
      memory.takeForRequest(bytes.length);
      return bytes;
    },
  };
}
