import { useState } from 'react';
import { usePagesWords } from '../language/pages-words.ts';
import { useListed } from '../language/language.tsx';

interface NamesInShortProps {
  readonly names: readonly string[];
  /** How many are shown before somebody asks for the rest. */
  readonly most?: number;
  /** Instead of the comma of the language. */
  readonly separator?: string;
}

/** A few names, and the others behind a button: twenty in a row hide everything around them. */
export function NamesInShort({ names, most = 4, separator }: NamesInShortProps) {
  const { lists } = usePagesWords();
  const listed = useListed();
  const [isWhole, setIsWhole] = useState(false);
  const hidden = isWhole || names.length <= most + 1 ? 0 : names.length - most;
  const shown = names.slice(0, names.length - hidden);
  return (
    <>
      {separator === undefined ? listed(shown) : shown.join(separator)}
      {hidden > 0 && (
        <>
          {separator ?? listed(['', ''])}
          <button
            type="button"
            className="whitespace-nowrap text-accent underline-offset-3 hover:underline"
            onClick={() => setIsWhole(true)}
          >
            {lists.more(hidden)}
          </button>
        </>
      )}
    </>
  );
}
