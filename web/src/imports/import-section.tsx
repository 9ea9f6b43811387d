import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useDefaultModel, useModels } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { Section } from '../design/section.tsx';
import { useImportsWords } from '../language/imports-words.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { bringIn, type BroughtIn, UnreadableFile } from './bring-in.ts';
import { useListed } from '../language/language.tsx';

/** A file of this service, of ChatGPT or of Open WebUI; it is read in the browser. */
export function ImportSection() {
  const words = usePagesWords();
  const own = useImportsWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const models = useModels();
  const model = useDefaultModel()(models);
  const field = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState({ imported: 0, count: 0 });
  const run = useMutation({
    mutationFn: (file: File) => {
      setDone({ imported: 0, count: 0 });
      const host = { model, untitled: own.untitled, now: Date.now() };
      return bringIn(file, host, client, (imported, count) => setDone({ imported, count }));
    },
    onSuccess: ({ imported }) => notices.tell(words.data.imported(imported)),
    onError: (failure) =>
      notices.complain(failure instanceof UnreadableFile ? own.unreadable : failureSentence(failure, words)),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.chats });
      // They take room, which the page beside this one shows.
      await queries.invalidateQueries({ queryKey: queryKeys.session });
    },
  });
  return (
    <Section title={words.data.import} lead={own.lead}>
      <input
        ref={field}
        type="file"
        accept="application/json,application/zip,.json,.zip"
        className="sr-only"
        aria-label={words.data.chooseFile}
        tabIndex={-1}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          event.target.value = '';
          if (chosen !== undefined) run.mutate(chosen);
        }}
      />
      <Button disabled={run.isPending || model === ''} onClick={() => field.current?.click()}>
        <Icon name="upload" size={16} />
        {words.data.chooseFile}
      </Button>
      <div role="status" className="mt-3 text-[0.9375rem] text-ink-soft empty:mt-0">
        {run.isPending && (done.count === 0 ? own.reading : own.progress(done.imported, done.count))}
        {run.isError && done.imported > 0 && own.stoppedAt(done.imported, done.count)}
        {run.isSuccess && <LeftOut brought={run.data} />}
      </div>
      <details className="mt-4 max-w-prose text-[0.9375rem] text-ink-soft">
        <summary className="cursor-pointer">{own.howTo}</summary>
        <ul className="mt-2 list-disc ps-5">
          <li>{own.chatGpt}</li>
          <li>{own.claude}</li>
          <li>{own.openWebUi}</li>
        </ul>
      </details>
    </Section>
  );
}

/** What did not come along; nothing when all did. */
function LeftOut({ brought: { skipped } }: { readonly brought: BroughtIn }) {
  const { leftOut } = useImportsWords();
  const listed = useListed();
  const parts = [
    skipped.chats > 0 && leftOut.chats(skipped.chats),
    skipped.messages > 0 && leftOut.messages(skipped.messages),
    skipped.files > 0 && leftOut.files(skipped.files),
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  return (
    <>
      {leftOut.title} {listed(parts)}.
    </>
  );
}
