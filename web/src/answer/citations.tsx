import { createContext, use, type ReactNode } from 'react';
import type { Source } from '#contract/context';
import { useOpenDocument } from '../documents/document-places.tsx';
import { useWords } from '../language/language.tsx';

/** The sources of the answer that is drawn, by the numbers that it may cite. */
export const Citations = createContext<ReadonlyMap<number, Source>>(new Map());

const citation = /\[(\d{1,5})\]/;

/** Text in which `[3]` leads to the third source, if there is one. */
export function CitingText({ text }: { readonly text: string }): ReactNode {
  const sources = use(Citations);
  if (sources.size === 0 || !citation.test(text)) return text;
  return text.split(/(\[\d{1,5}\])/).map((piece, index) => {
    const source = sources.get(Number(citation.exec(piece)?.[1] ?? Number.NaN));
    return source === undefined ? piece : <Citation key={index} source={source} />;
  });
}

function Citation({ source }: { readonly source: Source }) {
  const words = useWords();
  const open = useOpenSource();
  const name = words.documents.source(source.number, source.name, source.page);
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      disabled={open === undefined}
      className="mx-0.5 rounded bg-accent-wash px-1 align-baseline text-[0.8em] font-[600] text-accent tabular-nums enabled:hover:underline"
      onClick={() => open?.(source)}
    >
      {source.number}
    </button>
  );
}

export function useOpenSource(): ((source: Source) => void) | undefined {
  const open = useOpenDocument();
  if (open === undefined) return undefined;
  return ({ documentId: id, name, page, start, length }) =>
    open({ document: { id, name }, page, passage: length === null ? null : { start, length } });
}

/** The numbers that a text cites. */
export function citedNumbers(text: string): ReadonlySet<number> {
  return new Set([...text.matchAll(/\[(\d{1,5})\]/g)].map(([, number]) => Number(number)));
}
