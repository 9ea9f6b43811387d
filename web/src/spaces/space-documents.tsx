import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Document } from '#contract/documents';
import type { Space } from '#contract/spaces';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { Icon } from '../design/icon.tsx';
import { Section } from '../design/section.tsx';
import { useFileSize } from '../documents/file-size.ts';
import { useLanguageTag, useWords } from '../language/language.tsx';
import { useSpacesWords } from '../language/spaces-words.ts';
import { formatBytes } from '../standing/format-bytes.ts';
import { useBroughtDocuments, type BroughtDocument } from './use-brought-documents.ts';

export function SpaceDocuments({ space }: { readonly space: Space }) {
  const words = useSpacesWords();
  const tag = useLanguageTag();
  const brought = useBroughtDocuments(space.projectId);
  const { usedBytes, limitBytes } = space.storage;
  return (
    <Section
      title={words.documents}
      lead={words.documentsLead}
      actions={space.isKeeper && <AddDocuments add={(files) => void brought.add(files)} />}
    >
      {space.documents.length === 0 && brought.all.length === 0 && (
        <p className="text-ink-soft">{words.noDocuments}</p>
      )}
      <ul>
        {space.documents.map((document) => (
          <DocumentRow key={document.id} document={document} space={space} />
        ))}
        {brought.all.map((entry) => (
          <BroughtRow key={entry.id} entry={entry} dismiss={() => brought.dismiss(entry.id)} />
        ))}
      </ul>
      {space.isKeeper && usedBytes > 0 && (
        <p className="mt-3 text-sm text-ink-soft">
          {words.storage(formatBytes(usedBytes, tag), formatBytes(limitBytes, tag))}
        </p>
      )}
    </Section>
  );
}

function AddDocuments({ add }: { readonly add: (files: readonly File[]) => void }) {
  const words = useSpacesWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" onClick={() => input.current?.click()}>
        {words.add}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="space-documents"
        aria-label={words.add}
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // The same file may be chosen again after it was removed.
          target.value = '';
        }}
      />
    </>
  );
}

function DocumentRow({ document, space }: { readonly document: Document; readonly space: Space }) {
  const words = useSpacesWords();
  const general = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [isAsked, setIsAsked] = useState(false);
  const size = useFileSize(document.bytes);
  const { id: documentId, name, pageCount } = document;
  const remove = useMutation({
    mutationFn: () =>
      client.call('DELETE /console/spaces/:projectId/documents/:documentId', {
        projectId: space.projectId,
        documentId,
      }),
    onError: (failure) => notices.complain(failureSentence(failure, general)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.space(space.projectId) }),
  });
  return (
    <li className="flex items-center justify-between gap-4 border-t border-hairline py-2.5 first:border-0">
      <div className="flex min-w-0 items-center gap-3">
        <span className="text-ink-soft">
          <Icon name={document.kind === 'picture' ? 'picture' : 'file'} />
        </span>
        <div className="min-w-0">
          <a
            href={client.address('GET /console/documents/:documentId/original', { documentId })}
            download
            dir="auto"
            className="block truncate font-[550] hover:underline"
          >
            {name}
          </a>
          <p className="text-sm text-ink-soft">
            {words.pages(pageCount)} · {size}
            {document.embeddedBy !== undefined && ` · ${words.byMeaning}`}
          </p>
        </div>
      </div>
      {space.isKeeper && (
        <Button
          size="small"
          kind="quiet"
          aria-label={words.removeOf(name)}
          disabled={remove.isPending}
          onClick={() => setIsAsked(true)}
        >
          {words.remove}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        close={() => setIsAsked(false)}
        title={words.removeTitle(name)}
        sentence={words.removeSentence}
        action={words.remove}
        confirm={() => remove.mutate()}
      />
    </li>
  );
}

function BroughtRow({ entry, dismiss }: { readonly entry: BroughtDocument; readonly dismiss: () => void }) {
  const words = useSpacesWords();
  const { problems } = useWords().documents;
  const { problem } = entry;
  return (
    <li className="flex items-center justify-between gap-4 border-t border-hairline py-2.5 first:border-0">
      <div className="min-w-0">
        <p dir="auto" className="truncate font-[550]">
          {entry.name}
        </p>
        {problem === undefined ? (
          <p className="text-sm text-ink-soft">{words.reading(Math.round(entry.progress * 100))}</p>
        ) : (
          <p role="alert" className="text-sm text-danger">
            {problem === 'storageFull' ? words.storageFull : problems[problem]}
          </p>
        )}
      </div>
      {problem !== undefined && (
        <Button size="small" kind="quiet" onClick={dismiss}>
          {words.dismiss}
        </Button>
      )}
    </li>
  );
}
