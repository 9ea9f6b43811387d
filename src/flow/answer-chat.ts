import { answerRefusal } from '#dialects/openai-error';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';
import { exchangeWithoutSocket } from './exchange-without-socket.ts';
import { type Rooms, serveInference } from './serve-inference.ts';

/** The chat's way onto the same road: an exchange without a socket, whose reply is the generation itself. */
export function createChatInference(
  rooms: Rooms,
  openMemory: (address: string) => MemoryShare & Disposable,
  clock: Clock,
  logger: Logger,
): ChatInference {
  return {
    async answer({ requestId, isTemporary, personId, projectId, address, request, reply, cancellation }) {
      using memory = openMemory(address);
      const body = () => Buffer.from(JSON.stringify(request));
      const question = { requestId, path: '/console/', address, cancellation, reply, memory, body };
      const exchange = exchangeWithoutSocket(question, clock);
      try {
        await serveInference(rooms, rooms.doors.greetAtChat(exchange, { personId, projectId }, isTemporary));
      } catch (thrown) {
        if (!(thrown instanceof Refusal))
          logger.error({ requestId: exchange.requestId, error: thrown }, 'a chat answer ended in a bug');
        const refusal =
          thrown instanceof Refusal
            ? thrown
            : new Refusal('internal_error', 'Something went wrong inside the service.');
        answerRefusal(reply, refusal);
      }
    },
  };
}
