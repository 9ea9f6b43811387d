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
import { usePagesWords } from '../language/pages-words.ts';
import { StandingSection } from '../standing/standing-section.tsx';
import { MeasureChoice } from './measure-choice.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageTable, useUsageColumns } from './usage-table.tsx';
import { groupUsage, usageByDay, type Grouping, type Measure } from './usage-totals.ts';

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
  const columns = useUsageColumns();
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-3">
        {period}
        <MeasureChoice chosen={measure} choose={setMeasure} />
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
            measureName={words.usage[measure]}
          />
          <UsageTable
            of={words.usage.name}
            columns={[columns.requests, columns.input, columns.cached, columns.output, columns.total]}
            rows={groups.map((figures) => ({ key: figures.name, name: figures.name, figures }))}
          />
        </>
      )}
    </>
  );
}

function lastDays(count: number): { readonly from: string; readonly to: string } {
  const day = (offset: number) => new Date(Date.now() - offset * 86_400_000).toISOString().slice(0, 10);
  return { from: day(count - 1), to: day(0) };
}
