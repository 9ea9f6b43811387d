import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EngineDrift } from '#contract/operations';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Failure } from '../../design/failure.tsx';
import { SelectField } from '../../design/field.tsx';
import { Section } from '../../design/section.tsx';
import { useDriftWords } from '../../language/drift-words.ts';
import { useLanguageTag } from '../../language/language.tsx';
import { DriftTable, type DriftRow } from './drift-table.tsx';

/** The figures of `gatehouse usage drift`, and every hour of them. */
export function EngineDriftSection() {
  const words = useDriftWords();
  const tag = useLanguageTag();
  const client = useClient();
  const [engineName, setEngineName] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.engineDrift,
    queryFn: () => client.call('GET /console/administration/usage/drift', {}),
  });
  const engines = data?.engines ?? [];
  const chosen = engines.find(({ name }) => name === engineName);
  const rows = chosen === undefined ? engines.map(dayOf) : hoursOf(chosen);
  return (
    <div className="mt-10 border-t border-hairline pt-8">
      <Section title={words.title} lead={words.lead}>
        {error !== null && <Failure failure={error} retry={() => void refetch()} />}
        {data !== undefined && error === null && (
          <>
            <div className="mb-4 max-w-72">
              <SelectField
                label={words.show}
                value={chosen?.name ?? ''}
                onChange={(event) => setEngineName(event.target.value)}
              >
                <option value="">{words.everyEngine}</option>
                {engines
                  .filter(({ hours }) => hours.length > 0)
                  .map(({ name }) => (
                    <option key={name} value={name}>
                      {words.hoursOf(name)}
                    </option>
                  ))}
              </SelectField>
            </div>
            <DriftTable of={chosen === undefined ? words.engine : words.hour} rows={rows} />
            {rows.some(({ note }) => note === words.notWhole) && (
              <p className="mt-3 max-w-prose text-sm text-ink-soft">{words.notWholeNote}</p>
            )}
          </>
        )}
      </Section>
    </div>
  );

  function dayOf({ name, counters, hours, day }: EngineDrift): DriftRow {
    if (hours.length > 0) return { name, ...day };
    return { name, note: counters === 'none' ? words.none : words.unread };
  }

  function hoursOf({ hours }: EngineDrift): readonly DriftRow[] {
    const times = new Intl.DateTimeFormat(tag, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
    return hours.map(({ at, isWhole, input, output }) => ({
      name: times.format(at),
      note: isWhole ? undefined : words.notWhole,
      input,
      output,
    }));
  }
}
