import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Failure } from '../../design/failure.tsx';
import { FindField } from '../../design/find-field.tsx';
import { Section } from '../../design/section.tsx';
import { useAdministrationWords } from '../../language/administration-words.ts';
import { useLanguageTag, useListed } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import {
  findIn,
  groupSettings,
  type SettingEntry,
  type SettingGroup,
  type SettingRow,
} from './group-settings.ts';

/** Every knob with its value and where that came from; secrets only say whether they are set. */
export function SettingsInEffect() {
  const words = usePagesWords().administration;
  const { pages } = useAdministrationWords();
  const client = useClient();
  const [searched, setSearched] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.settings,
    queryFn: () => client.call('GET /console/administration/settings', {}),
  });
  const all = groupSettings(data?.settings ?? []);
  const [said, usual] = [findIn(all.said, searched), findIn(all.usual, searched)];
  // Whoever looks for something wants to see it, wherever it stands.
  const isOpen = searched.trim() !== '';
  return (
    <>
      <div className="mb-6">
        <FindField what={pages.settings.title} value={searched} change={setSearched} />
      </div>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && said.length + usual.length === 0 && (
        <p className="text-ink-soft">{words.noSetting}</p>
      )}
      <div>
        {said.length > 0 && (
          <Section title={words.said}>
            <div className="flex flex-col gap-6">
              {said.map((group) => (
                <div key={group.name}>
                  <h3 className="mb-1 font-[600]">{group.name || words.service}</h3>
                  <Rows group={group} isOpen={isOpen} />
                </div>
              ))}
            </div>
          </Section>
        )}
        {usual.length > 0 && (
          <Section title={words.usual} lead={words.usualLead}>
            {usual.map((group) => (
              <details key={group.name} open={isOpen} className="border-t border-hairline first:border-0">
                <summary className="cursor-pointer py-2">
                  <span className="font-[600]">{group.name || words.service}</span>{' '}
                  <span className="text-sm text-ink-soft tabular-nums">{group.rows.length}</span>
                </summary>
                <div className="pb-4">
                  <Rows group={group} isOpen={isOpen} />
                </div>
              </details>
            ))}
          </Section>
        )}
      </div>
    </>
  );
}

function Rows({ group, isOpen }: { readonly group: SettingGroup; readonly isOpen: boolean }) {
  return (
    <dl>
      {group.rows.map((row) => (
        <div
          key={row.name}
          className="grid gap-x-6 border-t border-hairline py-1.5 sm:grid-cols-[minmax(0,5fr)_minmax(0,7fr)_minmax(0,3fr)]"
        >
          <dt className="wrap-anywhere">
            <code className="font-mono text-[0.84375rem] text-ink-soft">{row.name}</code>
          </dt>
          <dd className="wrap-anywhere">
            {typeof row.value === 'string' ? (
              <Value written={row.value} />
            ) : (
              <Entries entries={row.value} isOpen={isOpen} />
            )}
          </dd>
          <Source row={row} />
        </div>
      ))}
    </dl>
  );
}

/** As it is written, but numbers as people read them. */
function Value({ written }: { readonly written: string }) {
  const { none } = usePagesWords().administration;
  const numbers = new Intl.NumberFormat(useLanguageTag());
  if (written === '[]' || written === '') return <span className="text-ink-faint">{none}</span>;
  return (
    <code className="font-mono text-[0.84375rem] font-[550]">
      {/^\d{4,15}$/.test(written) ? numbers.format(Number(written)) : written}
    </code>
  );
}

/** So many are named before somebody opens the list. */
const fewEntries = 4;

function Entries({
  entries,
  isOpen,
}: {
  readonly entries: readonly SettingEntry[];
  readonly isOpen: boolean;
}) {
  const { lists } = usePagesWords();
  const listed = useListed();
  const others = entries.length - fewEntries;
  return (
    <details open={isOpen}>
      <summary className="cursor-pointer">
        {listed(entries.slice(0, fewEntries).map(({ name }) => name))}
        {others > 0 && (
          <span className="text-ink-soft">
            {listed(['', ''])}
            {lists.more(others)}
          </span>
        )}
      </summary>
      <ul className="mt-1 mb-2 flex flex-col gap-2">
        {entries.map(({ name, fields }) => (
          <li key={name} className="border-s-2 border-hairline ps-3 text-sm">
            <span className="font-[550]">{name}</span>
            {fields.map((field) => (
              <span key={field.name} className="block text-ink-soft">
                <code className="font-mono text-[0.8125rem]">{field.name}</code>{' '}
                <Value written={field.value} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Source({ row: { source } }: { readonly row: SettingRow }) {
  const { sources } = usePagesWords().administration;
  const list = new Intl.ListFormat(useLanguageTag());
  // The whole part of the page says so already.
  if (source === 'default') return null;
  const places = source.split(' and ').map((place) => {
    const variable = /^environment (\S+)$/.exec(place)?.[1];
    // Names of files and their lines are the same in every language.
    return variable === undefined ? place : sources.variable(variable);
  });
  return (
    <dd className="text-sm wrap-anywhere text-ink-faint sm:text-end">
      {list
        .formatToParts(places)
        .map(({ type, value }, index) => (type === 'element' ? <bdi key={index}>{value}</bdi> : value))}
    </dd>
  );
}
