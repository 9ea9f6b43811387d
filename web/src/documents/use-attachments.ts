import { useCallback, useRef, useState } from 'react';
import { maxDocumentsPerMessage } from '#contract/document-limits';
import { useNotices } from '../app/notices.tsx';
import type { Conversation } from '../chat/conversation.ts';
import { useClient } from '../client/client-context.tsx';
import { randomId } from '../client/random-id.ts';
import { useWords } from '../language/language.tsx';
import type { Attachment } from './attachment.ts';
import { kindOf } from './document-kind.ts';
import { DocumentProblem } from './document-problem.ts';
import { createTurns } from './turns.ts';

export interface Attachments {
  readonly all: readonly Attachment[];
  readonly isBusy: boolean;
  add(files: readonly File[]): void;
  remove(id: string): void;
  /** They have gone with a question, or come back from one that could not be sent. */
  replace(attachments: readonly Attachment[]): void;
}

/** The files that go with the next question of this conversation, in this window. */
export function useAttachments({ kind, chatId }: Pick<Conversation, 'kind' | 'chatId'>): Attachments {
  const client = useClient();
  const words = useWords();
  const notices = useNotices();
  const name = chatId ?? kind;
  const [held, setHeld] = useState<ReadonlyMap<string, readonly Attachment[]>>(new Map());
  const running = useRef(new Map<string, AbortController>());
  const all = held.get(name) ?? none;

  const change = useCallback(
    (next: (now: readonly Attachment[]) => readonly Attachment[]) =>
      setHeld((now) => new Map(now).set(name, next(now.get(name) ?? none))),
    [name],
  );

  async function bring(id: string, file: File): Promise<void> {
    const abort = new AbortController();
    running.current.set(id, abort);
    const update = (fields: Partial<Attachment>) =>
      change((now) => now.map((entry) => (entry.id === id ? { ...entry, ...fields } : entry)));
    const turn = await turns.take();
    try {
      abort.signal.throwIfAborted();
      // Comes with the first file, not with the page.
      const { bringFile } = await import('./bring-file.ts');
      await bringFile({ client, file, isKept: kind !== 'temporary', update, signal: abort.signal });
    } catch (cause) {
      if (abort.signal.aborted) return;
      const problem = cause instanceof DocumentProblem ? cause.code : 'unreadable';
      update({ state: 'failed', problem });
    } finally {
      turn();
      running.current.delete(id);
    }
  }

  return {
    all,
    isBusy: all.some(({ state }) => state === 'reading' || state === 'sending'),
    add(files) {
      const room = maxDocumentsPerMessage - all.length;
      if (files.length > room) notices.complain(words.documents.tooMany(maxDocumentsPerMessage));
      const added = files.slice(0, Math.max(0, room)).map((file) => ({ id: randomId(), file }));
      change((now) => [...now, ...added.map(({ id, file }) => begun(id, file))]);
      for (const { id, file } of added) void bring(id, file);
    },
    remove(id) {
      running.current.get(id)?.abort();
      const document = all.find((entry) => entry.id === id)?.document;
      change((now) => now.filter((entry) => entry.id !== id));
      // What nobody sends is gone after a day in any case.
      if (document !== undefined)
        client
          .call('DELETE /console/documents/:documentId', { documentId: document.id })
          .catch(() => undefined);
    },
    replace: (attachments) => change(() => attachments),
  };
}

const none: readonly Attachment[] = [];
/** Readers take memory; more files than this wait. */
const turns = createTurns(3);

function begun(id: string, file: File): Attachment {
  return {
    id,
    name: file.name,
    kind: kindOf(file),
    bytes: file.size,
    state: 'reading',
    progress: 0,
    problem: undefined,
    pageCount: 0,
    emptyPages: 0,
    document: undefined,
    pages: [],
  };
}
