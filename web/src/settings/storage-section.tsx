import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '../app/session.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Meter } from '../design/meter.tsx';
import { shareOf } from '../design/share-of.ts';
import { Section } from '../design/section.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { formatBytes } from '../standing/format-bytes.ts';

/** How much of the room for one's chats is taken. */
export function StorageSection() {
  const words = usePagesWords().standing.storage;
  const tag = useLanguageTag();
  const queries = useQueryClient();
  const { storage } = useSession();
  useEffect(() => void queries.invalidateQueries({ queryKey: queryKeys.session }), [queries]);
  if (storage === null) return null;
  const { usedBytes, limitBytes } = storage;
  const share = shareOf(usedBytes, limitBytes);
  return (
    <Section title={words.title} lead={words.lead}>
      <div className="flex max-w-md flex-col gap-2">
        <Meter label={words.title} used={usedBytes} amount={limitBytes} />
        <p className="text-[0.9375rem] tabular-nums">
          {words.used(formatBytes(usedBytes, tag), formatBytes(limitBytes, tag))}
        </p>
        {share >= 0.8 && (
          <p className={share >= 1 ? 'text-[0.9375rem] text-danger' : 'text-[0.9375rem] text-wait'}>
            {share >= 1 ? words.full : words.nearlyFull}
          </p>
        )}
      </div>
    </Section>
  );
}
