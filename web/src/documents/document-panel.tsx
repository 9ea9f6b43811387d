import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DocumentPage } from '#contract/documents';
import { Failure } from '../design/failure.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useWords } from '../language/language.tsx';
import type { DocumentPlace } from './document-places.tsx';

interface DocumentPanelProps {
  readonly place: DocumentPlace;
  readonly close: () => void;
}

/** A document beside the chat, one page at a time, with the passage that was cited marked. */
export function DocumentPanel({ place, close }: DocumentPanelProps) {
  const words = useWords();
  const client = useClient();
  const { id: documentId, name } = place.document;
  const [page, setPage] = useState(place.page);
  useEffect(() => setPage(place.page), [place]);
  const facts = useQuery({
    queryKey: queryKeys.document(documentId),
    queryFn: () => client.call('GET /console/documents/:documentId', { documentId }),
  });
  const text = useQuery({
    queryKey: queryKeys.documentPage(documentId, page),
    queryFn: () =>
      client.call('GET /console/documents/:documentId/pages', { documentId, query: { from: page } }),
    placeholderData: (before) => before,
  });
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), [place]);
  const pageCount = facts.data?.pageCount ?? page;
  const shown = text.data?.pages.find(({ number }) => number === page);
  const failure = facts.error ?? text.error;
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={name}
      className="fixed inset-0 z-30 flex flex-col border-hairline bg-paper outline-none lg:static lg:z-auto lg:w-[26rem] lg:shrink-0 lg:border-s xl:w-[32rem]"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header className="flex h-14 shrink-0 items-center gap-1 border-b border-hairline ps-5 pe-2">
        <h2 dir="auto" className="min-w-0 flex-1 truncate font-[600]">
          {name}
        </h2>
        <a
          className="rounded-lg px-2 py-1 text-sm text-accent hover:bg-pressed"
          href={client.address('GET /console/documents/:documentId/original', { documentId })}
          download={name}
        >
          {words.documents.original}
        </a>
        <IconButton icon="close" label={words.documents.closeDocument} onClick={close} />
      </header>
      {failure !== null ? (
        <Failure failure={failure} retry={() => void Promise.all([facts.refetch(), text.refetch()])} />
      ) : (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4" tabIndex={0} data-testid="document-page">
            {text.isPlaceholderData || text.isPending ? null : <PageText page={shown} place={place} />}
          </div>
          <footer className="flex shrink-0 items-center justify-between border-t border-hairline px-3 py-2">
            <IconButton
              icon="chevronLeft"
              label={words.documents.previousPage}
              disabled={page <= 1}
              onClick={() => setPage(page - 1)}
            />
            <span className="text-sm text-ink-soft tabular-nums">
              {words.documents.pageOf(page, pageCount)}
            </span>
            <IconButton
              icon="chevronRight"
              label={words.documents.nextPage}
              disabled={page >= pageCount}
              onClick={() => setPage(page + 1)}
            />
          </footer>
        </>
      )}
    </aside>
  );
}

function PageText({
  page,
  place,
}: {
  readonly page: DocumentPage | undefined;
  readonly place: DocumentPlace;
}) {
  const words = useWords();
  const mark = useRef<HTMLElement>(null);
  // In braces: newer browsers give a promise back, which is no way to end an effect.
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' });
  }, [page, place]);
  if (page === undefined) return <p className="text-ink-faint">{words.documents.noTextOnPage}</p>;
  const { text } = page;
  const isHere = place.passage !== null && place.page === page.number;
  const start = isHere ? (place.passage?.start ?? 0) : 0;
  const end = isHere ? start + (place.passage?.length ?? 0) : 0;
  return (
    <p dir="auto" className="text-[0.9375rem] leading-[1.6] break-words whitespace-pre-wrap">
      {text.slice(0, start)}
      {end > start && (
        <mark ref={mark} className="rounded-sm bg-wait-wash text-ink">
          {text.slice(start, end)}
        </mark>
      )}
      {text.slice(end)}
    </p>
  );
}
