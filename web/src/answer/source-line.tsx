import type { Source } from '#contract/context';
import { useWords } from '../language/language.tsx';
import { useOpenSource } from './citations.tsx';

export function SourceLine({ source }: { readonly source: Source }) {
  const words = useWords();
  const open = useOpenSource();
  return (
    <button
      type="button"
      disabled={open === undefined}
      className="flex max-w-full items-baseline gap-2 rounded-md py-0.5 text-start text-ink-soft transition-colors duration-150 enabled:hover:text-accent"
      onClick={() => open?.(source)}
    >
      <span className="min-w-5 shrink-0 text-end font-[600] text-accent tabular-nums">{source.number}</span>
      <span dir="auto" className="truncate">
        {source.name}
      </span>
      <span className="shrink-0 text-ink-faint">{words.documents.page(source.page)}</span>
    </button>
  );
}
