import type { Overview } from '#contract/operations';
import { durationInWords } from '../../design/amounts.ts';
import { Moment } from '../../design/moment.tsx';
import { Section } from '../../design/section.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { useOverviewWords } from '../../language/overview-words.ts';

export function SlowestRequests({ requests }: { readonly requests: Overview['slowest'] }) {
  const words = useOverviewWords();
  const tag = useLanguageTag();
  return (
    <Section title={words.slowest} lead={words.slowestLead}>
      {requests.length === 0 ? (
        <p className="text-ink-soft">{words.noneSlow}</p>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={words.slowest}>
          <table className="table-plain">
            <thead>
              <tr>
                <th scope="col">{words.when}</th>
                <th scope="col">{words.model}</th>
                <th scope="col">{words.project}</th>
                <th scope="col">{words.waited}</th>
                <th scope="col">{words.firstByte}</th>
                <th scope="col">{words.whole}</th>
                <th scope="col">{words.requestId}</th>
              </tr>
            </thead>
            <tbody>
              {requests.map((request) => (
                <tr key={request.requestId}>
                  <td className="whitespace-nowrap">
                    <Moment at={request.startedAt} />
                  </td>
                  <td>
                    {request.model}
                    <span className="block text-sm text-ink-soft">{request.engine ?? '–'}</span>
                  </td>
                  <td>
                    {request.project}
                    <span className="block text-sm text-ink-soft">{words.doors[request.door]}</span>
                  </td>
                  <td className="whitespace-nowrap">{durationInWords(request.waitMs, tag)}</td>
                  <td className="whitespace-nowrap">
                    {request.firstByteMs === null
                      ? words.noFirstByte
                      : durationInWords(request.firstByteMs, tag)}
                  </td>
                  <td className="whitespace-nowrap">{durationInWords(request.durationMs, tag)}</td>
                  <td className="break-all text-ink-soft">
                    <code className="font-mono text-[0.8125rem]">{request.requestId}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
