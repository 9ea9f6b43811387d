import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UsageGroupingName } from '#contract/usage-administration';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { buttonClasses } from '../../design/button.tsx';
import { Failure } from '../../design/failure.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Icon } from '../../design/icon.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { MeasureChoice } from '../../usage/measure-choice.tsx';
import type { Measure } from '../../usage/usage-totals.ts';
import { EngineDriftSection } from './engine-drift.tsx';
import { FeedbackSection } from './feedback-section.tsx';
import { GroupedUsage } from './grouped-usage.tsx';

const groupings: readonly UsageGroupingName[] = [
  'project',
  'person',
  'key',
  'network',
  'model',
  'day',
  'door',
];

/** What everybody used: the figures of `gatehouse usage`. */
export function UsageSection() {
  const words = usePagesWords();
  const { usage } = useManageWords();
  const client = useClient();
  const [by, setBy] = useState<UsageGroupingName>('project');
  const [measure, setMeasure] = useState<Measure>('tokens');
  const [from, setFrom] = useState(dayBefore(29));
  const [to, setTo] = useState(dayBefore(0));
  const query = { by, from, to };
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.everybodysUsage(query),
    queryFn: () => client.call('GET /console/administration/usage', { query }),
    placeholderData: keepPreviousData,
    enabled: from !== '' && to !== '',
  });
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3">
        <div className="w-36">
          <SelectField
            label={words.usage.groupBy}
            value={by}
            onChange={(event) => setBy(event.target.value as UsageGroupingName)}
          >
            {groupings.map((each) => (
              <option key={each} value={each}>
                {usage.by[each]}
              </option>
            ))}
          </SelectField>
        </div>
        <div className="w-40">
          <TextField
            label={usage.from}
            type="date"
            max={to}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        </div>
        <div className="w-40">
          <TextField
            label={usage.to}
            type="date"
            min={from}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <MeasureChoice chosen={measure} choose={setMeasure} />
        <a
          href={client.address('GET /console/administration/usage.csv', { query })}
          download
          className={`${buttonClasses('plain')} ms-auto`}
        >
          <Icon name="download" size={16} />
          {words.usage.csv}
        </a>
      </div>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <div className="h-96" aria-hidden="true" />}
      {data !== undefined && error === null && (
        <GroupedUsage report={data} by={by} measure={measure} hasLinks />
      )}
      <p className="mt-8 text-sm text-ink-soft">
        {usage.command}{' '}
        <code className="font-mono text-[0.8125rem]">
          gatehouse usage --by {by} --since {from}
        </code>
      </p>
      <EngineDriftSection />
      <FeedbackSection />
    </>
  );
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
