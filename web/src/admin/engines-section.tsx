import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Health } from '#contract/models';
import { HealthDot } from '../chat/health-dot.tsx';
import { useAllModels } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Failure } from '../design/failure.tsx';
import { FindField } from '../design/find-field.tsx';
import { isFound } from '../design/is-found.ts';
import { NamesInShort } from '../design/names-in-short.tsx';
import { Section } from '../design/section.tsx';
import { useEnginesWords } from '../language/engines-words.ts';
import { useOverviewWords } from '../language/overview-words.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { AddEntry, EntryActions } from './catalogue/entry-actions.tsx';
import { type EntryList, useCatalogue } from './catalogue/use-catalogue.ts';
import { EngineTest } from './engine-test.tsx';
import { HealthNote } from './health-note.tsx';
import { troubledFirst } from './troubled-first.ts';

export function EnginesSection() {
  const words = useEnginesWords();
  const overview = useOverviewWords();
  const { engines: titles } = usePagesWords();
  const models = useAllModels();
  const { data, error, refetch } = useEngines();
  const engines = data?.engines ?? [];
  const kinds: Readonly<Record<string, string>> = words.kinds;
  return (
    <>
      <EntryTable
        list="models"
        title={titles.models}
        columns={[words.model, words.servedBy, words.directAddress]}
        entries={troubledFirst(models)}
        textsOf={({ id, description }) => [id, description]}
      >
        {(model) => (
          <tr key={model.id}>
            <State health={model.health} />
            <td className="sm:min-w-52">
              <span className="font-[600] wrap-anywhere">{model.id}</span>
              <span dir="auto" className="text-match block text-sm text-ink-soft">
                {model.description}
              </span>
            </td>
            <td data-label={words.servedBy} className="text-ink-soft">
              <NamesInShort
                names={engines.flatMap(({ name, models: served }) => (served.includes(model.id) ? name : []))}
              />
            </td>
            <td data-label={words.directAddress} className="sm:min-w-44">
              <code
                title={model.directAddress}
                className="font-mono text-[0.8125rem] wrap-anywhere text-ink-soft"
              >
                {new URL(model.directAddress).pathname}
              </code>
            </td>
            <td className="sm:text-end">
              <EntryActions list="models" name={model.id} />
            </td>
          </tr>
        )}
      </EntryTable>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      <EntryTable
        list="engines"
        title={titles.title}
        columns={[overview.engine, titles.models, words.url]}
        entries={troubledFirst(engines)}
        textsOf={({ name, models: served, address }) => [name, address, ...served]}
      >
        {(engine) => (
          <tr key={engine.name}>
            <State health={engine.health} note={engine.healthNote} />
            <td>
              <span className="font-[600] wrap-anywhere">{engine.name}</span>
              <span className="block text-sm text-ink-soft">
                {kinds[engine.kind] ?? engine.kind}, {words.atOnce(engine.maxConcurrent)}
              </span>
            </td>
            <td data-label={titles.models} className="text-ink-soft">
              <NamesInShort names={engine.models} />
            </td>
            <td data-label={words.url}>
              {/* The kind says already where the built-in one runs. */}
              {engine.kind === 'embedded' ? (
                '–'
              ) : (
                <code className="font-mono text-[0.8125rem] wrap-anywhere text-ink-soft">
                  {engine.address}
                </code>
              )}
            </td>
            <td>
              <span className="flex flex-wrap gap-1 sm:justify-end">
                <EngineTest engineName={engine.name} models={engine.models} />
                <EntryActions list="engines" name={engine.name} />
              </span>
            </td>
          </tr>
        )}
      </EntryTable>
    </>
  );
}

function useEngines() {
  const client = useClient();
  return useQuery({
    queryKey: queryKeys.engines,
    queryFn: () => client.call('GET /console/administration/engines', {}),
    refetchInterval: 5000,
  });
}

interface EntryTableProps<Entry> {
  readonly list: EntryList;
  readonly title: string;
  /** After the state, which comes first. */
  readonly columns: readonly string[];
  readonly entries: readonly Entry[];
  readonly textsOf: (entry: Entry) => readonly string[];
  readonly children: (entry: Entry) => ReactNode;
}

/** More than these are looked for rather than looked through. */
const many = 8;

function EntryTable<Entry>({ list, title, columns, entries, textsOf, children }: EntryTableProps<Entry>) {
  const words = useEnginesWords();
  const { state } = useOverviewWords();
  const [searched, setSearched] = useState('');
  const isChangedElsewhere = useCatalogue()[list].some(({ origin }) => origin !== 'here');
  return (
    <Section
      title={title}
      {...(isChangedElsewhere && { lead: words.elsewhere })}
      actions={
        <div className="flex flex-wrap items-center gap-3">
          {entries.length > many && (
            <FindField what={title} className="field w-full sm:w-64" value={searched} change={setSearched} />
          )}
          <AddEntry list={list} />
        </div>
      }
    >
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={title}>
        <table className="table-plain table-stacked">
          <thead>
            <tr>
              {[state, ...columns].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>{entries.filter((entry) => isFound(searched, textsOf(entry))).map(children)}</tbody>
        </table>
      </div>
    </Section>
  );
}

function State({ health, note = '' }: { readonly health: Health; readonly note?: string }) {
  const { models } = usePagesWords();
  return (
    <td className="sm:min-w-28">
      <span className="flex items-center gap-2 whitespace-nowrap">
        <HealthDot health={health} />
        {models.health[health]}
      </span>
      {note !== '' && (
        <span className="block max-w-48 text-sm text-danger">
          <HealthNote note={note} />
        </span>
      )}
    </td>
  );
}
