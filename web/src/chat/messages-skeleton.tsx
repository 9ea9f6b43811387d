import { useWords } from '../language/language.tsx';

export function MessagesSkeleton() {
  const words = useWords();
  return (
    <div className="mx-auto flex w-full max-w-measure flex-1 flex-col gap-5 px-5 pt-10" role="status">
      <span className="sr-only">{words.general.loading}</span>
      <div className="skeleton h-10 w-2/5 self-end" />
      <div className="skeleton h-4 w-full" />
      <div className="skeleton h-4 w-11/12" />
      <div className="skeleton h-4 w-3/5" />
    </div>
  );
}
