import { useQuery } from '@tanstack/react-query';
import type { FeedbackCount } from '#contract/feedback';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { buttonClasses } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Section } from '../../design/section.tsx';
import { useWorkingWords } from '../../language/working-words.ts';
import { useListed } from '../../language/language.tsx';

/** What people think of the answers of each model, as counts. */
export function FeedbackSection() {
  const words = useWorkingWords().feedback;
  const listed = useListed();
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.feedback,
    queryFn: () => client.call('GET /console/administration/feedback', {}),
  });
  const models = Map.groupBy(data?.counts ?? [], ({ model }) => model);
  return (
    <Section title={words.title} lead={words.explained}>
      {data !== undefined && models.size === 0 && <p className="text-ink-soft">{words.none}</p>}
      {models.size > 0 && (
        <>
          <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={words.title}>
            <table className="table-plain">
              <thead>
                <tr>
                  <th scope="col">{words.model}</th>
                  <th scope="col" className="text-end!">
                    {words.goodColumn}
                  </th>
                  <th scope="col" className="text-end!">
                    {words.badColumn}
                  </th>
                  <th scope="col" className="ps-6">
                    {words.reasons}
                  </th>
                </tr>
              </thead>
              <tbody>
                {[...models].map(([model, counts]) => (
                  <tr key={model}>
                    <td>{model}</td>
                    <td className="text-end">{sum(counts, 'good')}</td>
                    <td className="text-end">{sum(counts, 'bad')}</td>
                    <td className="ps-6 text-ink-soft">
                      {listed(
                        counts.flatMap(({ word, count }) => (word === null ? [] : `${named(word)} ${count}`)),
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <a
            href={client.address('GET /console/administration/feedback/export', {})}
            download
            className={`${buttonClasses('plain', 'small')} mt-3`}
          >
            <Icon name="download" size={15} />
            {words.export}
          </a>
        </>
      )}
    </Section>
  );

  function named(word: string): string {
    return (words.words as Readonly<Record<string, string>>)[word] ?? word;
  }
}

function sum(counts: readonly FeedbackCount[], verdict: FeedbackCount['verdict']): number {
  return counts.reduce((total, each) => total + (each.verdict === verdict ? each.count : 0), 0);
}
