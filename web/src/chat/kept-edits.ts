import type { Message } from '#contract/messages';
import { createDraftList } from '../composer/draft-list.ts';

interface KeptEdit {
  /** Of the message. */
  readonly id: string;
  /** Other words than those of the message; none so far. */
  readonly content: string | undefined;
  readonly isOpen: boolean;
}

/** Unsent words for messages of a chat; temporary chats have no such edits. */
export const keptEdits = createDraftList<KeptEdit>({
  placeOf: (draft) => `${draft}.edits`,
  isKept: ({ content }) => content !== undefined,
});

export function keepEdit(
  draft: string,
  message: Pick<Message, 'id' | 'content'>,
  { content, isOpen }: { readonly content?: string; readonly isOpen: boolean },
): void {
  keptEdits.change(draft, (now) => {
    const words = content ?? now.find(({ id }) => id === message.id)?.content;
    const own = words === message.content ? undefined : words;
    const others = now.filter(({ id }) => id !== message.id);
    return own === undefined && !isOpen ? others : [...others, { id: message.id, content: own, isOpen }];
  });
}

export function dropEdit(draft: string, messageId: string): void {
  keptEdits.change(draft, (now) => now.filter(({ id }) => id !== messageId));
}
