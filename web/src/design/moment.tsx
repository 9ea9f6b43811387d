import { useLanguageTag, useWords } from '../language/language.tsx';

/** A point in time as people say it, with the exact time for those who point at it. */
export function Moment({ at }: { readonly at: number | null }) {
  const words = useWords();
  const tag = useLanguageTag();
  if (at === null) return words.general.never;
  const exact = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short' }).format(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={exact}>
      {inWords(at, Date.now(), tag)}
    </time>
  );
}

/** Exported for its test. */
export function inWords(at: number, now: number, tag: string): string {
  const seconds = Math.round((at - now) / 1000);
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(0, 'second');
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  if (size < 30 * 86_400) return relative.format(Math.round(seconds / 86_400), 'day');
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(at);
}
