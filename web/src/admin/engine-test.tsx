import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureSentence } from '../app/failure-sentence.ts';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { SelectField } from '../design/field.tsx';
import { useEnginesWords } from '../language/engines-words.ts';
import { useWords } from '../language/language.tsx';
import { TrialResult } from './trial-result.tsx';

interface EngineTestProps {
  readonly engineName: string;
  readonly models: readonly string[];
}

/** A real question to one engine, and its answer. */
export function EngineTest({ engineName, models }: EngineTestProps) {
  const words = useEnginesWords();
  const [isOpen, setIsOpen] = useState(false);
  const [first] = models;
  if (first === undefined) return null;
  return (
    <>
      <Button size="small" aria-label={words.testOf(engineName)} onClick={() => setIsOpen(true)}>
        {words.test}
      </Button>
      <Dialog
        isOpen={isOpen}
        close={() => setIsOpen(false)}
        title={words.testOf(engineName)}
        description={words.lead}
      >
        <Question engineName={engineName} models={models} first={first} />
      </Dialog>
    </>
  );
}

function Question({ engineName, models, first }: EngineTestProps & { readonly first: string }) {
  const words = useEnginesWords();
  const general = useWords();
  const client = useClient();
  const [modelId, setModelId] = useState(first);
  const test = useMutation({
    mutationFn: () =>
      client.call('POST /console/administration/engines/:engineName/test', { engineName, body: { modelId } }),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <SelectField label={words.model} value={modelId} onChange={(event) => setModelId(event.target.value)}>
        {models.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </SelectField>
      <Button type="submit" kind="primary" className="self-start" disabled={test.isPending}>
        {words.ask}
      </Button>
      <TrialResult
        isPending={test.isPending}
        problem={test.error === null ? undefined : failureSentence(test.error, general)}
        trial={test.data}
      />
    </form>
  );
}
