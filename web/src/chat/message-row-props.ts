import type { Message } from '../../../src/console/contract/messages.ts';
import type { Model } from '../../../src/console/contract/models.ts';
import type { Conversation } from './conversation.ts';

/** What a message is drawn from, whoever wrote it. */
export interface MessageRowProps {
  readonly message: Message;
  readonly conversation: Conversation;
  readonly models: readonly Model[];
  readonly isLast: boolean;
}
