import type { Message } from '#contract/messages';
import type { Model } from '#contract/models';
import type { Conversation } from './conversation.ts';

/** What a message is drawn from, whoever wrote it. */
export interface MessageRowProps {
  readonly message: Message;
  readonly conversation: Conversation;
  readonly models: readonly Model[];
  readonly isLast: boolean;
}
