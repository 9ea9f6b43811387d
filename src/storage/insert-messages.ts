import type { Kysely } from 'kysely';
import type { ChatMessage } from '#vocabulary/conversation';
import { writeMessage } from './conversation-rows.ts';
import type { LivingProcesses } from '#vocabulary/living-processes';
import type { Tables } from './tables.ts';

/** Inside a transaction: the messages, and that they refer to their documents. */
export async function insertMessages(
  transaction: Kysely<Tables>,
  chatId: string,
  messages: readonly ChatMessage[],
  processes: LivingProcesses,
): Promise<void> {
  for (const message of messages) {
    await transaction
      .insertInto('messages')
      .values(writeMessage(chatId, message, processes))
      .execute();
    for (const { id } of message.documents) {
      await transaction
        .insertInto('document_uses')
        .values({ document_id: id, message_id: message.id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
}
