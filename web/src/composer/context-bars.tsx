import type { ContextParts } from '#contract/context';
import { useLanguageTag, useWords } from '../language/language.tsx';

const parts = [
  { name: 'instructions', tone: 'bg-ink-soft' },
  { name: 'documents', tone: 'bg-wait' },
  { name: 'conversation', tone: 'bg-accent' },
  { name: 'answer', tone: 'bg-hairline' },
] as const;

/** How a model's context is filled, part by part. */
export function ContextBars({ parts: sizes }: { readonly parts: ContextParts }) {
  const words = useWords();
  const numbers = new Intl.NumberFormat(useLanguageTag());
  const { sent } = words.documents;
  const all = Math.max(sizes.contextTokens, usedTokens(sizes) + sizes.answer);
  return (
    <>
      <div className="flex h-2 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
        {parts.map(({ name, tone }) => (
          <span key={name} className={tone} style={{ width: `${(sizes[name] / all) * 100}%` }} />
        ))}
      </div>
      <dl className="mt-3 grid grid-cols-[auto_1fr_auto] items-center gap-x-2.5 gap-y-1 text-[0.9375rem]">
        {parts.map(({ name, tone }) => (
          <div key={name} className="contents">
            <dt className="contents">
              <span aria-hidden="true" className={`size-2.5 rounded-sm ${tone}`} />
              <span className="text-ink-soft">{sent[name]}</span>
            </dt>
            <dd className="text-end tabular-nums">
              {(sizes.isEstimated ? sent.aboutTokens : sent.tokens)(numbers.format(sizes[name]))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-ink-faint tabular-nums">
        {sent.of(numbers.format(usedTokens(sizes)), numbers.format(sizes.contextTokens))}
      </p>
    </>
  );
}

export function usedTokens({ instructions, documents, conversation }: ContextParts): number {
  return instructions + documents + conversation;
}
