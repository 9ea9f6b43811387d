import { useEffect, useMemo, useRef } from 'react';
import { useSearch } from 'wouter';
import type { Conversation } from './conversation.ts';
import type { SearchHit } from './use-landing.ts';

/** The message that the address names; when it is on another branch, that branch is shown. */
export function useSearchHit({ tree, path, earlier, showBranch, kind }: Conversation): SearchHit | undefined {
  const search = useSearch();
  const hit = useMemo(() => {
    const place = new URLSearchParams(search);
    const messageId = place.get('message');
    return messageId === null ? undefined : { messageId, words: place.get('words') ?? '' };
  }, [search]);
  const isKnown = hit !== undefined && kind === 'stored' && tree.byId.has(hit.messageId);
  // A hit far up in a very long chat: its page is read, and the one before, until it is there.
  const mayBeEarlier = hit !== undefined && !isKnown && kind === 'stored' && earlier.state === 'more';
  useEffect(() => {
    if (mayBeEarlier) earlier.load();
  }, [mayBeEarlier, earlier]);
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
