import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { randomId } from '../client/random-id.ts';
import { DocumentProblem, type DocumentProblemCode } from '../documents/document-problem.ts';

/** A file on its way into a space. */
export interface BroughtDocument {
  readonly id: string;
  readonly name: string;
  /** From 0 to 1. */
  readonly progress: number;
  readonly problem: DocumentProblemCode | undefined;
}

/** Files that are read here and sent one after the other; what is there is not listed any more. */
export function useBroughtDocuments(projectId: string) {
  const client = useClient();
  const queries = useQueryClient();
  const [all, setAll] = useState<readonly BroughtDocument[]>([]);
  const change = (id: string, fields: Partial<BroughtDocument>) =>
    setAll((now) => now.map((entry) => (entry.id === id ? { ...entry, ...fields } : entry)));
  const dismiss = (id: string) => setAll((now) => now.filter((entry) => entry.id !== id));

  async function bring(id: string, file: File): Promise<void> {
    try {
      // Comes with the first file, not with the page.
      const { bringFile } = await import('../documents/bring-file.ts');
      await bringFile({
        client,
        file,
        isKept: true,
        projectId,
        update: ({ progress }) => progress !== undefined && change(id, { progress }),
        signal: new AbortController().signal,
      });
      await queries.invalidateQueries({ queryKey: queryKeys.space(projectId) });
      dismiss(id);
    } catch (cause) {
      change(id, { problem: cause instanceof DocumentProblem ? cause.code : 'unreadable' });
    }
  }

  return {
    all,
    dismiss,
    async add(files: readonly File[]): Promise<void> {
      const entries = files.map((file) => ({ id: randomId(), file }));
      setAll((now) => [
        ...now,
        ...entries.map(({ id, file }) => ({ id, name: file.name, progress: 0, problem: undefined })),
      ]);
      for (const { id, file } of entries) await bring(id, file);
    },
  };
}
