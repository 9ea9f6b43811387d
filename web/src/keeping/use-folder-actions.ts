import { useQueryClient } from '@tanstack/react-query';
import type { Folder } from '#contract/folders';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useWords } from '../language/language.tsx';
import { openFolder } from '../sidebar/use-open-folders.ts';

interface FolderActions {
  /** Undefined when it did not work. */
  create(name: string): Promise<Folder | undefined>;
  rename(folderId: string, name: string): Promise<boolean>;
  remove(folderId: string): Promise<boolean>;
}

export function useFolderActions(): FolderActions {
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
    } finally {
      await queries.invalidateQueries({ queryKey: queryKeys.folders });
    }
  }

  return {
    create: (name) =>
      attempt(async () => {
        const folder = await client.call('POST /console/folders', { body: { name } });
        openFolder(folder.id);
        return folder;
      }),
    rename: async (folderId, name) =>
      (await attempt(() => client.call('PATCH /console/folders/:folderId', { folderId, body: { name } }))) !==
      undefined,
    remove: async (folderId) => {
      const done = await attempt(() => client.call('DELETE /console/folders/:folderId', { folderId }));
      await queries.invalidateQueries({ queryKey: queryKeys.chats });
      return done !== undefined;
    },
  };
}
