import { useEffect, useRef, useSyncExternalStore } from 'react';
import { maxDocumentsPerMessage } from '#contract/document-limits';
import { useNotices } from '../app/notices.tsx';
import { useSession } from '../app/session.tsx';
import type { Conversation } from '../chat/conversation.ts';
import { CallFailed } from '../client/call-failed.ts';
import { useClient } from '../client/client-context.tsx';
import { randomId } from '../client/random-id.ts';
import { createDraftList } from '../composer/draft-list.ts';
import { draftName } from '../composer/drafts.ts';
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

/** The files that go with the next question of this conversation; those of temporary chats are kept nowhere. */
export function useAttachments({ kind, chatId }: Pick<Conversation, 'kind' | 'chatId'>): Attachments {
  const client = useClient();
  const words = useWords();
  const notices = useNotices();
  const { person } = useSession();
  const draft = kind === 'temporary' ? kind : draftName(person.id, chatId);
  const running = useRef(new Map<string, AbortController>());
  const all = useSyncExternalStore(waiting.subscribe, () => waiting.of(draft));
  useEffect(() => () => waiting.forget('temporary'), []);
  // What waited for longer than the service keeps it is told before it is sent.
  useEffect(() => {
    for (const { id, document } of waiting.of(draft)) {
      if (document === undefined) continue;
      client
        .call('GET /console/documents/:documentId', { documentId: document.id })
        .catch((failure: unknown) => {
          if (failure instanceof CallFailed && failure.status === 404)
            waiting.update(id, { state: 'failed', problem: 'notSent', document: undefined });
        });
    }
  }, [client, draft]);

  async function bring(id: string, file: File): Promise<void> {
    const abort = new AbortController();
    running.current.set(id, abort);
    const update = (fields: Partial<Attachment>) => waiting.update(id, fields);
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
      waiting.change(draft, (now) => [...now, ...added.map(({ id, file }) => begun(id, file))]);
      for (const { id, file } of added) void bring(id, file);
    },
    remove(id) {
      running.current.get(id)?.abort();
      const document = all.find((entry) => entry.id === id)?.document;
      waiting.change(draft, (now) => now.filter((entry) => entry.id !== id));
      // What nobody sends is gone after a day in any case.
      if (document !== undefined)
        client
          .call('DELETE /console/documents/:documentId', { documentId: document.id })
          .catch(() => undefined);
    },
    replace: (attachments) => waiting.change(draft, () => attachments),
  };
}

/** Those that the service has are there again after a reload. */
const waiting = createDraftList<Attachment>({
  placeOf: (draft) => (draft === 'temporary' ? undefined : `${draft}.files`),
  isKept: ({ state, document }) => state === 'ready' && document !== undefined,
});
export const moveAttachments = waiting.move;

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
