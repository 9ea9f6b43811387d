import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Moment } from '../design/moment.tsx';
import { Section } from '../design/section.tsx';
import { useWords } from '../language/language.tsx';
import { useToolsWords } from '../language/tools-words.ts';

/** Tools that one has allowed for all chats, and the way to be asked again. */
export function ToolsSection() {
  const words = useWords();
  const toolWords = useToolsWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.toolConsents,
    queryFn: () => client.call('GET /console/tools/consents', {}),
  });
  const withdraw = useMutation({
    mutationFn: (body: { readonly server: string; readonly tool: string }) =>
      client.call('POST /console/tools/consents/withdraw', { body }),
    onSuccess: () => notices.tell(toolWords.consents.withdrawn),
    onError: (failure) => notices.complain(failureSentence(failure, words)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.toolConsents }),
  });
  return (
    <Section title={toolWords.consents.title} lead={toolWords.consents.lead}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data?.consents.length === 0 && (
        <p className="rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">
          {toolWords.consents.none}
        </p>
      )}
      <ul>
        {data?.consents.map(({ server, tool, givenAt }) => (
          <li
            key={`${server} ${tool} ${givenAt}`}
            className="flex items-center justify-between gap-4 border-t border-hairline py-3.5 first:border-0"
          >
            <div className="min-w-0">
              <p className="truncate">
                <code className="font-mono text-[0.9375rem]">{tool}</code> {toolWords.of(server)}
              </p>
              <p className="text-[0.9375rem] text-ink-soft">
                {toolWords.consents.given} <Moment at={givenAt} />
              </p>
            </div>
            <Button size="small" onClick={() => withdraw.mutate({ server, tool })}>
              {toolWords.consents.withdraw}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
