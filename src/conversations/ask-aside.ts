import type { Cancellation } from '#vocabulary/cancellation';
import type { ModelDefinition } from '#vocabulary/catalogue';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { ChatMessage } from '#vocabulary/conversation';
import { newMessage } from './new-message.ts';
import { RunningAnswer } from './running-answer.ts';

export interface AsideQuestion {
  readonly requestId: string;
  readonly isTemporary: boolean;
  readonly personId: string;
  /** The space that pays for it. */
  readonly projectId: string | undefined;
  readonly address: string;
  readonly model: ModelDefinition;
  readonly content: string;
  /** What a model thinks before it writes comes out of the same budget. */
  readonly maxTokens: number;
  readonly cancellation: Cancellation;
}

/** A question about a chat that nobody reads in it: in the name of its person, through the line and into the books. */
export async function askAside(
  { inference, clock }: { readonly inference: ChatInference; readonly clock: Clock },
  { model, content, maxTokens, cancellation, ...asker }: AsideQuestion,
): Promise<ChatMessage> {
  const startedAt = clock.wallMs();
  const message = newMessage({
    parentId: null,
    role: 'assistant',
    content: '',
    createdAt: startedAt,
    state: 'running',
  });
  const description = { id: '', chatId: null, messageId: '', model: model.id, startedAt };
  const answer = new RunningAnswer({ ...asker, description, message, clock });
  cancellation.onCancel((reason) => answer.cancellation.cancel(reason));
  await inference.answer({
    ...asker,
    request: {
      model: model.id,
      messages: [{ role: 'user', content }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: maxTokens,
      ...(model.reasoning !== 'none' && { separate_reasoning: true }),
      ...(model.supportsReasoningEffort && { reasoning_effort: 'low' }),
    },
    reply: answer,
    cancellation: answer.cancellation,
  });
  answer.close();
  return answer.message();
}
