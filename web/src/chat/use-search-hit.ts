import { useEffect, useMemo, useRef } from 'react';
import { useSearch } from 'wouter';
import type { Conversation } from './conversation.ts';
import type { SearchHit } from './use-landing.ts';

/** The message that the address names; when it is on another branch, that branch is shown. */
export function useSearchHit({ tree, path, showBranch, kind }: Conversation): SearchHit | undefined {
  const search = useSearch();
  const hit = useMemo(() => {
    const place = new URLSearchParams(search);
    const messageId = place.get('message');
    return messageId === null ? undefined : { messageId, words: place.get('words') ?? '' };
  }, [search]);
  const isKnown = hit !== undefined && kind === 'stored' && tree.byId.has(hit.messageId);
  const isInView = path.some(({ id }) => id === hit?.messageId);
  // Once for each place that is opened: whoever then looks at another branch is left there.
  const shown = useRef<SearchHit>(undefined);
  useEffect(() => {
    if (!isKnown || shown.current === hit) return;
    shown.current = hit;
    if (!isInView) showBranch(hit.messageId);
  }, [hit, isKnown, isInView, showBranch]);
  return hit;
}
