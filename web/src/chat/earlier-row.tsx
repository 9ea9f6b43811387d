import { Button } from '../design/button.tsx';
import { useWords } from '../language/language.tsx';
import type { EarlierMessages } from './conversation.ts';

/** Stands in the room above the first message while there are earlier ones. */
export function EarlierRow({ earlier }: { readonly earlier: EarlierMessages }) {
  const words = useWords();
  if (earlier.state === 'none') return null;
  return (
    <div className="relative h-0">
      <div className="absolute inset-x-0 top-4 flex h-9 items-center justify-center gap-3 text-sm text-ink-faint">
        {earlier.state === 'loading' ? (
          <span role="status">{words.chat.earlierLoading}</span>
        ) : (
          <>
            {earlier.state === 'failed' && <span role="status">{words.chat.earlierFailed}</span>}
            <Button kind="quiet" size="small" onClick={earlier.load}>
              {words.chat.showEarlier}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
