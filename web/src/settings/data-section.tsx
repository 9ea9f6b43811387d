import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RequestOf } from '#contract/routes';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button, buttonClasses } from '../design/button.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Icon } from '../design/icon.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { StorageSection } from './storage-section.tsx';

type Archive = RequestOf<'POST /console/chats/import'>['body'];

/** Everything somebody wrote belongs to them: take it along, bring it back, remove it. */
export function DataSection() {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const file = useRef<HTMLInputElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const onError = (failure: unknown) =>
    notices.complain(
      failure instanceof SyntaxError ? words.data.unreadable : failureSentence(failure, words),
    );
  const readAgain = () => queries.invalidateQueries({ queryKey: queryKeys.chats });
  const bringIn = useMutation({
    mutationFn: async (chosen: File) =>
      client.call('POST /console/chats/import', { body: JSON.parse(await chosen.text()) as Archive }),
    onSuccess: async ({ chats }) => {
      await readAgain();
      notices.tell(words.data.imported(chats.length));
    },
    onError,
  });
  const removeAll = useMutation({
    mutationFn: () => client.call('DELETE /console/chats', {}),
    onSuccess: async ({ chatIds }) => {
      queries.removeQueries({ queryKey: ['chat'] });
      await readAgain();
      notices.tell(words.data.deleted(chatIds.length), () => void restore(chatIds));
    },
    onError,
  });
  async function restore(chatIds: readonly string[]): Promise<void> {
    try {
      for (const chatId of chatIds) await client.call('POST /console/chats/:chatId/restore', { chatId });
    } catch (failure) {
      onError(failure);
    }
    await readAgain();
  }
  return (
    <>
      <StorageSection />
      <Section title={words.data.export} lead={words.data.exportLead}>
        <a href={client.address('GET /console/chats/export', {})} download className={buttonClasses('plain')}>
          <Icon name="download" size={16} />
          {words.data.exportAll}
        </a>
      </Section>
      <Section title={words.data.import} lead={words.data.importLead}>
        <input
          ref={file}
          type="file"
          accept="application/json,.json"
          className="sr-only"
          aria-label={words.data.chooseFile}
          tabIndex={-1}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = '';
            if (chosen !== undefined) bringIn.mutate(chosen);
          }}
        />
        <Button disabled={bringIn.isPending} onClick={() => file.current?.click()}>
          <Icon name="upload" size={16} />
          {words.data.chooseFile}
        </Button>
      </Section>
      <Section title={words.data.delete} lead={words.data.deleteLead}>
        <Button onClick={() => setIsAsking(true)}>
          <Icon name="trash" size={16} />
          {words.data.deleteAll}
        </Button>
        <ConfirmDialog
          isOpen={isAsking}
          close={() => setIsAsking(false)}
          title={words.data.deleteAll}
          sentence={words.data.deleteQuestion}
          action={words.data.deleteAll}
          confirm={() => removeAll.mutate()}
        />
      </Section>
    </>
  );
}
