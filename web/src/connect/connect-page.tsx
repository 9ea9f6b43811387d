import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ConnectFacts } from '#contract/connect';
import { PageFrame } from '../app/page-frame.tsx';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { classes } from '../design/classes.ts';
import { ChoiceCards } from '../design/choice-cards.tsx';
import { CopyField } from '../design/copy-field.tsx';
import { Failure } from '../design/failure.tsx';
import { SelectField } from '../design/field.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { asReached } from './as-reached.ts';
import { SnippetPlate } from './snippet-plate.tsx';
import { allSnippets, type Snippet } from './snippets.ts';
import { TunnelSection } from './tunnel-section.tsx';

/** Both doors with their addresses, and texts to paste that already hold them. */
export function ConnectPage() {
  const words = usePagesWords();
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.connect,
    queryFn: () => client.call('GET /console/connect', {}),
    select: (facts) => asReached(facts, location.origin),
  });
  return (
    <PageFrame title={words.connect.title} lead={words.connect.lead}>
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      {data !== undefined && <ConnectContent facts={data} />}
    </PageFrame>
  );
}

function ConnectContent({ facts }: { readonly facts: ConnectFacts }) {
  const words = usePagesWords();
  const client = useClient();
  const { data: keyList } = useQuery({
    queryKey: queryKeys.keys,
    queryFn: () => client.call('GET /console/keys', {}),
  });
  const keys = keyList?.keys.filter(({ state }) => state === 'active') ?? [];
  const [door, setDoor] = useState<'proxy' | 'direct'>('proxy');
  const [modelId, setModelId] = useState(facts.models[0]?.id ?? '');
  const [keyId, setKeyId] = useState<string>();
  const model = facts.models.find(({ id }) => id === modelId) ?? facts.models[0];
  const key = keys.find(({ id }) => id === keyId) ?? keys[0];
  if (model === undefined) return <p>{words.connect.noModels}</p>;
  const snippets = allSnippets({
    proxyBase: facts.proxyBase,
    directBase: model.directBase,
    door,
    model: model.id,
    isForEmbeddings: model.isForEmbeddings,
    ...(key === undefined ? {} : { keyName: key.name }),
  });
  return (
    <>
      <Section title={words.connect.addresses}>
        <div className="mb-5 flex flex-wrap items-end gap-x-6 gap-y-4">
          <ChoiceCards
            name={words.connect.door}
            chosen={door}
            choices={[
              { value: 'proxy', label: words.connect.proxy },
              { value: 'direct', label: words.connect.direct },
            ]}
            choose={setDoor}
          />
          <div className="w-52">
            <SelectField
              label={words.connect.model}
              value={model.id}
              onChange={(event) => setModelId(event.target.value)}
            >
              {facts.models.map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </SelectField>
          </div>
          {door === 'proxy' && keys.length > 0 && (
            <div className="w-52">
              <SelectField
                label={words.connect.key}
                value={key?.id}
                onChange={(event) => setKeyId(event.target.value)}
              >
                {keys.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
            </div>
          )}
        </div>
        <p className="mb-4 max-w-prose text-[0.9375rem] text-ink-soft">
          {door === 'proxy' ? words.connect.proxyExplained : words.connect.directExplained}{' '}
          {door === 'proxy' && keys.length === 0 && (
            <Link href="/settings/account/keys" className="text-accent underline underline-offset-3">
              {words.connect.makeKey}
            </Link>
          )}
        </p>
        <CopyField
          label={words.connect.baseAddress}
          text={door === 'proxy' ? facts.proxyBase : model.directBase}
          copyLabel={words.connect.copyAddress}
        />
        {door === 'direct' && (
          <p
            className={classes('mt-3 text-[0.9375rem]', facts.mayUseDirectDoor ? 'text-accent' : 'text-wait')}
          >
            {facts.mayUseDirectDoor
              ? words.connect.directOpen(facts.callerAddress)
              : words.connect.directClosed(facts.callerAddress)}
          </p>
        )}
      </Section>
      <Section title={words.connect.snippets} lead={words.connect.snippetsLead}>
        <SnippetTabs snippets={snippets} />
      </Section>
      <TunnelSection facts={facts} path={model.path} />
    </>
  );
}

function SnippetTabs({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const words = usePagesWords();
  const [chosenId, setChosenId] = useState<Snippet['id']>('curl');
  const chosen = snippets.find(({ id }) => id === chosenId) ?? snippets[0];
  return (
    <>
      <div role="group" aria-label={words.connect.snippets} className="mb-3 flex flex-wrap gap-1">
        {snippets.map(({ id }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === chosen?.id}
            className="rounded-lg px-3 py-1 text-[0.9375rem] text-ink-soft transition-colors duration-150 hover:bg-sunken aria-pressed:bg-accent-wash aria-pressed:font-[600] aria-pressed:text-accent-strong"
            onClick={() => setChosenId(id)}
          >
            {words.connect.snippetNames[id]}
          </button>
        ))}
      </div>
      {chosen !== undefined && <SnippetPlate key={chosen.text} snippet={chosen} />}
    </>
  );
}
