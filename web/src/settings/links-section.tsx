import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { SharedLink } from '#contract/chats';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button, buttonClasses } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Moment } from '../design/moment.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';

/** What one has shown to others, and the way to take it back. */
export function LinksSection() {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.sharedLinks,
    queryFn: () => client.call('GET /console/shared', {}),
  });
  const withdraw = useMutation({
    mutationFn: (chatId: string) => client.call('DELETE /console/chats/:chatId/share', { chatId }),
    onSuccess: () => notices.tell(words.links.withdrawn),
    onError: (failure) => notices.complain(failureSentence(failure, words)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.sharedLinks }),
  });
  return (
    <Section title={words.settings.links} lead={words.links.lead}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data?.links.length === 0 && (
        <p className="rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">
          {words.links.none}
        </p>
      )}
      <ul>
        {data?.links.map((link) => (
          <LinkRow key={link.shareId} link={link} withdraw={() => withdraw.mutate(link.chatId)} />
        ))}
      </ul>
    </Section>
  );
}

function LinkRow({ link, withdraw }: { readonly link: SharedLink; readonly withdraw: () => void }) {
  const words = usePagesWords();
  return (
    <li className="flex items-center justify-between gap-4 border-t border-hairline py-3.5 first:border-0">
      <div className="min-w-0">
        <Link href={`/chat/${link.chatId}`} dir="auto" className="block truncate font-[550] hover:underline">
          {link.title}
        </Link>
        <p className="text-[0.9375rem] text-ink-soft">
          {words.links.shared} <Moment at={link.sharedAt} />
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <Link href={`/shared/${link.shareId}`} className={buttonClasses('plain', 'small')}>
          {words.links.open}
        </Link>
        <Button size="small" onClick={withdraw}>
          {words.links.withdraw}
        </Button>
      </div>
    </li>
  );
}
