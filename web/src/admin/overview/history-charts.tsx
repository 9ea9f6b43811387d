import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HistorySpan } from '#contract/operations';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { durationInWords } from '../../design/amounts.ts';
import { ChoiceCards } from '../../design/choice-cards.tsx';
import { Failure } from '../../design/failure.tsx';
import { Section } from '../../design/section.tsx';
import { useLanguageTag } from '../../language/language.tsx';
import { useOverviewWords } from '../../language/overview-words.ts';
import { HistoryChart } from './history-chart.tsx';

const lookEveryMs = 30_000;

/** How the service did in the last day or month, in four small pictures. */
export function HistoryCharts() {
  const words = useOverviewWords();
  const { charts } = words;
  const tag = useLanguageTag();
  const client = useClient();
  const [span, setSpan] = useState<HistorySpan>('day');
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.history(span),
    queryFn: () => client.call('GET /console/administration/history', { query: { span } }),
    refetchInterval: lookEveryMs,
    placeholderData: keepPreviousData,
  });
  const numbers = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 });
  const points = data?.points ?? [];
  const isQuiet = points.every(({ requests }) => requests === 0);
  const axis = { from: data?.from ?? 0, to: data?.to ?? 1, stepMs: data?.stepMs ?? 1 };
  return (
    <Section
      title={words.history}
      actions={
        <ChoiceCards
          name={words.span}
          chosen={span}
          choices={(['day', 'month'] as const).map((value) => ({ value, label: words.spans[value] }))}
          choose={setSpan}
        />
      }
    >
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && isQuiet && <p className="text-ink-soft">{words.noHistory}</p>}
      {!isQuiet && (
        <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
          <HistoryChart
            {...axis}
            title={charts.requests}
            names={[charts.requests, charts.failures]}
            tones={['accent', 'danger']}
            scale={(top) => numbers.format(top)}
            bars={points.map(({ at, requests, failures }) => ({
              at,
              amounts: [requests - failures, failures],
              words:
                failures === 0
                  ? numbers.format(requests)
                  : `${numbers.format(requests)}, ${numbers.format(failures)} ${charts.failures}`,
            }))}
          />
          <HistoryChart
            {...axis}
            title={charts.firstToken}
            names={[charts.half, charts.slow]}
            tones={['accent', 'faint']}
            scale={(top) => durationInWords(top, tag)}
            bars={points.flatMap(({ at, firstTokenMs, slowFirstTokenMs }) =>
              firstTokenMs === null || slowFirstTokenMs === null
                ? []
                : {
                    at,
                    amounts: [firstTokenMs, slowFirstTokenMs - firstTokenMs],
                    words: `${durationInWords(firstTokenMs, tag)}, ${charts.slow} ${durationInWords(slowFirstTokenMs, tag)}`,
                  },
            )}
          />
          <HistoryChart
            {...axis}
            title={charts.tokens}
            names={[charts.tokens]}
            tones={['accent']}
            scale={(top) => numbers.format(top)}
            bars={points.map(({ at, outputTokens }) => ({
              at,
              amounts: [outputTokens],
              words: numbers.format(outputTokens),
            }))}
          />
          <HistoryChart
            {...axis}
            title={charts.load}
            names={[charts.running, charts.waiting]}
            tones={['accent', 'wait']}
            scale={(top) => numbers.format(top)}
            bars={points.map(({ at, running, waiting }) => ({
              at,
              amounts: [running, waiting],
              words: `${numbers.format(running)} ${charts.running}, ${numbers.format(waiting)} ${charts.waiting}`,
            }))}
          />
        </div>
      )}
    </Section>
  );
}
