import { usePagesWords } from '../language/pages-words.ts';

interface FindFieldProps {
  /** What is looked through, for those who do not see what stands below. */
  readonly what: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly className?: string;
}

/** Narrows a list that is too long to be looked through. */
export function FindField({ what, value, change, className = 'field max-w-96' }: FindFieldProps) {
  const { lists } = usePagesWords();
  return (
    <input
      type="search"
      dir="auto"
      className={className}
      aria-label={`${lists.find}: ${what}`}
      placeholder={lists.find}
      value={value}
      onChange={(event) => change(event.target.value)}
    />
  );
}
