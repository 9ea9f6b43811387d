import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button, buttonClasses } from '../design/button.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Icon } from '../design/icon.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { ImportSection } from '../imports/import-section.tsx';
import { StorageSection } from './storage-section.tsx';

/** Everything somebody wrote belongs to them: take it along, bring it back, remove it. */
export function DataSection() {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [isAsking, setIsAsking] = useState(false);
  const onError = (failure: unknown) => notices.complain(failureSentence(failure, words));
  const readAgain = () => queries.invalidateQueries({ queryKey: queryKeys.chats });
  const removeAll = useMutation({
    mutationFn: () => client.call('DELETE /console/chats', {}),
    onSuccess: async ({ count, restorableUntil }) => {
      queries.removeQueries({ queryKey: ['chat'] });
      await readAgain();
      notices.tell(words.data.deleted(count), () => restore.mutate({ restorableUntil }));
    },
    onError,
  });
  const restore = useMutation({
    mutationFn: (body: { readonly restorableUntil: number }) =>
      client.call('POST /console/chats/restore', { body }),
    onSuccess: readAgain,
    onError,
  });
  return (
    <>
      <StorageSection />
      <Section title={words.data.export} lead={words.data.exportLead}>
        <a href={client.address('GET /console/chats/export', {})} download className={buttonClasses('plain')}>
          <Icon name="download" size={16} />
          {words.data.exportAll}
        </a>
      </Section>
      <ImportSection />
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
