import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HealthDot } from '../chat/health-dot.tsx';
import { useAllModels } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Failure } from '../design/failure.tsx';
import { NamesInShort } from '../design/names-in-short.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { AddEntry, EntryActions } from './catalogue/entry-actions.tsx';
import { EngineTest } from './engine-test.tsx';
import { HealthNote } from './health-note.tsx';

/** More than these are looked for rather than looked through. */
const manyModels = 8;

export function EnginesSection() {
  const words = usePagesWords();
  const models = useAllModels();
  const [searched, setSearched] = useState('');
  const engines = useEngines().data?.engines ?? [];
  const needle = searched.trim().toLowerCase();
  const shown = models.filter(({ id, description }) =>
    [id, description].some((each) => each.toLowerCase().includes(needle)),
  );
  return (
    <>
      <Section
        title={words.engines.models}
        actions={
          <div className="flex flex-wrap items-center gap-3">
            {models.length > manyModels && (
              <input
                type="search"
                dir="auto"
                className="field w-64"
                aria-label={`${words.lists.find}: ${words.engines.models}`}
                placeholder={words.lists.find}
                value={searched}
                onChange={(event) => setSearched(event.target.value)}
              />
            )}
            <AddEntry list="models" />
          </div>
        }
      >
        <ul>
          {shown.map((model) => (
            <li
              key={model.id}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-t border-hairline py-3 first:border-0"
            >
              <p className="min-w-0 flex-1 basis-64">
                <span className="font-[600]">{model.id}</span>
                <span dir="auto" className="text-match block text-[0.9375rem] text-ink-soft">
                  {model.description}
                </span>
                <code className="font-mono text-[0.8125rem] break-all text-ink-faint">
                  {model.directAddress}
                </code>
                <span className="block text-sm text-ink-soft">
                  <NamesInShort
                    names={engines.flatMap(({ name, models: served }) =>
                      served.includes(model.id) ? name : [],
                    )}
                  />
                </span>
              </p>
              <div className="flex shrink-0 flex-wrap items-center justify-end gap-x-4 gap-y-2">
                <p className="flex items-center gap-2 text-[0.9375rem]">
                  <HealthDot health={model.health} />
                  {words.models.health[model.health]}
                </p>
                <span className="flex items-center gap-1">
                  <EntryActions list="models" name={model.id} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      </Section>
      <EngineList />
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

function EngineList() {
  const words = usePagesWords();
  const { data, error, refetch } = useEngines();
  return (
    <Section title={words.engines.title} actions={<AddEntry list="engines" />}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      <ul>
        {data?.engines.map((engine) => (
          <li
            key={engine.name}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-t border-hairline py-3 first:border-0"
          >
            <div className="min-w-0 flex-1 basis-64">
              <h3 className="font-[600]">{engine.name}</h3>
              <p className="text-[0.9375rem] text-ink-soft">
                {engine.kind} · {words.engines.atOnce}: {engine.maxConcurrent}
              </p>
              {engine.models.length > 0 && (
                <p className="text-[0.9375rem] text-ink-soft">
                  <NamesInShort names={engine.models} most={8} />
                </p>
              )}
              <code className="font-mono text-[0.8125rem] break-all text-ink-faint">{engine.address}</code>
              {engine.healthNote !== '' && (
                <p className="text-sm text-danger">
                  <HealthNote note={engine.healthNote} />
                </p>
              )}
            </div>
            <div className="flex shrink-0 flex-wrap items-center justify-end gap-x-4 gap-y-2">
              <p className="flex items-center gap-2 text-[0.9375rem]">
                <HealthDot health={engine.health} />
                {words.models.health[engine.health]}
              </p>
              <span className="flex items-center gap-2">
                <EngineTest engineName={engine.name} models={engine.models} />
                <EntryActions list="engines" name={engine.name} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
