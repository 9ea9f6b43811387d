import { useQueryClient } from '@tanstack/react-query';
import type { RequestOf } from '#contract/routes';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { forgetChat, noteChat } from '../sidebar/chat-cache.ts';
import { openFolder } from '../sidebar/use-open-folders.ts';
import { useWords } from '../language/language.tsx';

interface ChatActions {
  rename(chatId: string, title: string): Promise<void>;
  setPinned(chatId: string, isPinned: boolean): Promise<void>;
  /** Can be undone from the notice. */
  archive(chatId: string): Promise<void>;
  bringBack(chatId: string): Promise<void>;
  /** Null: into none. False when it did not work. */
  move(chatId: string, folderId: string | null): Promise<boolean>;
  /** Can be undone from the notice. */
  remove(chatId: string): Promise<void>;
}

export function useChatActions(): ChatActions {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const words = useWords();

  async function attempt<Answer>(action: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await action();
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
      return undefined;
    }
  }

  async function change(
    chatId: string,
    body: RequestOf<'PATCH /console/chats/:chatId'>['body'],
  ): Promise<boolean> {
    const chat = await attempt(() => client.call('PATCH /console/chats/:chatId', { chatId, body }));
    if (chat !== undefined) noteChat(queries, chat);
    return chat !== undefined;
  }

  async function restore(chatId: string): Promise<void> {
    const chat = await attempt(() => client.call('POST /console/chats/:chatId/restore', { chatId }));
    if (chat !== undefined) noteChat(queries, chat);
  }

  return {
    rename: async (chatId, title) => void (await change(chatId, { title })),
    setPinned: async (chatId, isPinned) => void (await change(chatId, { isPinned })),
    async archive(chatId) {
      if (!(await change(chatId, { isArchived: true }))) return;
      notices.tell(words.keeping.archived, () => void change(chatId, { isArchived: false }));
    },
    async bringBack(chatId) {
      if (await change(chatId, { isArchived: false })) notices.tell(words.keeping.broughtBack);
    },
    async move(chatId, folderId) {
      const isMoved = await change(chatId, { folderId });
      // The chat before one's eyes stays in sight.
      if (isMoved && folderId !== null && location.pathname === `/chat/${chatId}`) openFolder(folderId);
      return isMoved;
    },
    async remove(chatId) {
      const gone = await attempt(() => client.call('DELETE /console/chats/:chatId', { chatId }));
      if (gone === undefined) return;
      forgetChat(queries, chatId);
      queries.removeQueries({ queryKey: queryKeys.chat(chatId) });
      notices.tell(words.chat.deleted, () => void restore(chatId));
    },
  };
}
