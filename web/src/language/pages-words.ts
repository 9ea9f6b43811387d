import { useMemo } from 'react';
import { enPages } from './en/pages.ts';
import { areaWords, useWords } from './language.tsx';

const useOwnWords = areaWords('pages', enPages);

/** The words of the pages beside the chat, together with those that are everywhere. */
export function usePagesWords() {
  const everywhere = useWords();
  const own = useOwnWords();
  return useMemo(() => ({ ...everywhere, ...own }), [everywhere, own]);
}
