import { useQuery } from '@tanstack/react-query';
import { HealthDot } from '../chat/health-dot.tsx';
import { useModels } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Failure } from '../design/failure.tsx';
import { Section } from '../design/section.tsx';
import { useWords } from '../language/language.tsx';
import { AddEntry, EntryActions } from './catalogue/entry-actions.tsx';
import { EngineTest } from './engine-test.tsx';

export function EnginesSection() {
  const words = useWords();
  const models = useModels();
  return (
    <>
      <Section title={words.engines.models} actions={<AddEntry list="models" />}>
        <ul>
          {models.map((model) => (
            <li
              key={model.id}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-t border-hairline py-3 first:border-0"
            >
              <p className="min-w-0 flex-1 basis-64">
                <span className="font-[600]">{model.id}</span>
                <span className="block text-[0.9375rem] text-ink-soft">{model.description}</span>
                <code className="font-mono text-[0.8125rem] break-all text-ink-faint">
                  {model.directAddress}
                </code>
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
      <EngineTable />
    </>
  );
}

function EngineTable() {
  const words = useWords();
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.engines,
    queryFn: () => client.call('GET /console/administration/engines', {}),
    refetchInterval: 5000,
  });
  return (
    <Section title={words.engines.title} actions={<AddEntry list="engines" />}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={words.engines.title}>
        <table className="table-plain">
          <thead>
            <tr>
              <th scope="col">{words.engines.name}</th>
              <th scope="col">{words.engines.kind}</th>
              <th scope="col">{words.engines.address}</th>
              <th scope="col">{words.engines.atOnce}</th>
              <th scope="col">{words.engines.health}</th>
              <td aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {data?.engines.map((engine) => (
              <tr key={engine.name}>
                <td className="font-[550]">
                  {engine.name}
                  <span className="block font-normal text-ink-soft">{engine.models.join(', ')}</span>
                </td>
                <td>{engine.kind}</td>
                <td className="font-mono text-[0.8125rem] wrap-anywhere">{engine.address}</td>
                <td>{engine.maxConcurrent}</td>
                <td>
                  <span className="flex items-center gap-2">
                    <HealthDot health={engine.health} />
                    {words.models.health[engine.health]}
                  </span>
                  {engine.healthNote !== '' && (
                    <span className="block text-sm text-ink-soft">{engine.healthNote}</span>
                  )}
                </td>
                <td>
                  <span className="flex items-center justify-end gap-2 whitespace-nowrap">
                    <EngineTest engineName={engine.name} models={engine.models} />
                    <EntryActions list="engines" name={engine.name} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
