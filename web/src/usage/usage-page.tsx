import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UsageReport, UsageRow } from '#contract/usage';
import { PageFrame } from '../app/page-frame.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { buttonClasses } from '../design/button.tsx';
import { ChoiceCards } from '../design/choice-cards.tsx';
import { Failure } from '../design/failure.tsx';
import { Icon } from '../design/icon.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { StandingSection } from '../standing/standing-section.tsx';
import { UsageChart } from './usage-chart.tsx';
import {
  groupUsage,
  tokensOf,
  usageByDay,
  type Grouping,
  type Measure,
  type UsageGroup,
} from './usage-totals.ts';

export function UsagePage() {
  const words = usePagesWords();
  const client = useClient();
  const [days, setDays] = useState<'7' | '30' | '90'>('30');
  const period = lastDays(Number(days));
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.usage(period.from, period.to),
    queryFn: () => client.call('GET /console/usage', { query: period }),
    placeholderData: keepPreviousData,
  });
  return (
    <PageFrame
      title={words.usage.title}
      lead={words.usage.lead}
      width="wide"
      actions={
        <a
          href={client.address('GET /console/usage.csv', { query: period })}
          download
          className={buttonClasses('plain')}
        >
          <Icon name="download" size={16} />
          {words.usage.csv}
        </a>
      }
    >
      <div className="mb-2">
        <StandingSection />
      </div>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <UsageContent
          report={data}
          period={
            <ChoiceCards
              name={words.usage.period}
              chosen={days}
              choices={(['7', '30', '90'] as const).map((value) => ({
                value,
                label: words.usage.days(Number(value)),
              }))}
              choose={setDays}
            />
          }
        />
      )}
    </PageFrame>
  );
}

function UsageContent({
  report,
  period,
}: {
  readonly report: UsageReport;
  readonly period: React.ReactNode;
}) {
  const words = usePagesWords();
  const [measure, setMeasure] = useState<Measure>('tokens');
  const [grouping, setGrouping] = useState<Grouping>('model');
  const keyNames = new Map(report.keys.map(({ id, name }) => [id, name]));
  const nameOf = (row: UsageRow): string => {
    if (grouping === 'model') return row.model;
    if (grouping === 'door') return words.usage.doors[row.door];
    return row.keyId === null ? words.usage.noKey : (keyNames.get(row.keyId) ?? words.usage.unknownKey);
  };
  const groups = groupUsage(report.rows, nameOf);
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-3">
        {period}
        <ChoiceCards
          name={words.usage.measure}
          chosen={measure}
          choices={[
            { value: 'tokens', label: words.usage.tokens },
            { value: 'requests', label: words.usage.requests },
          ]}
          choose={setMeasure}
        />
        <ChoiceCards
          name={words.usage.groupBy}
          chosen={grouping}
          choices={[
            { value: 'model', label: words.usage.byModel },
            { value: 'key', label: words.usage.byKey },
            { value: 'door', label: words.usage.byDoor },
          ]}
          choose={setGrouping}
        />
      </div>
      {report.rows.length === 0 ? (
        <p className="rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">
          {words.usage.empty}
        </p>
      ) : (
        <>
          <UsageChart
            days={usageByDay(report, groups, nameOf, measure)}
            groups={groups.map(({ name }) => name)}
            measureName={measure === 'tokens' ? words.usage.tokens : words.usage.requests}
          />
          <UsageTable groups={groups} />
        </>
      )}
    </>
  );
}

function UsageTable({ groups }: { readonly groups: readonly UsageGroup[] }) {
  const words = usePagesWords();
  const numbers = new Intl.NumberFormat(useLanguageTag());
  const columns: [string, (group: UsageGroup) => number][] = [
    [words.usage.requests, (group) => group.requests],
    [words.usage.input, (group) => group.inputTokens],
    [words.usage.cached, (group) => group.cachedTokens],
    [words.usage.output, (group) => group.outputTokens],
    [words.usage.total, tokensOf],
  ];
  return (
    <div className="mt-8 overflow-x-auto" tabIndex={0} role="region" aria-label={words.usage.table}>
      <table className="table-plain">
        <thead>
          <tr>
            <th scope="col">{words.usage.name}</th>
            {columns.map(([name]) => (
              <th key={name} scope="col" className="text-end!">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.name}>
              <th scope="row" className="py-2! text-[0.9375rem]! text-ink!">
                {group.name}
              </th>
              {columns.map(([name, read]) => (
                <td key={name} className="text-end">
                  {numbers.format(read(group))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function lastDays(count: number): { readonly from: string; readonly to: string } {
  const day = (offset: number) => new Date(Date.now() - offset * 86_400_000).toISOString().slice(0, 10);
  return { from: day(count - 1), to: day(0) };
}
