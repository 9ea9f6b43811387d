import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IncidentImpact } from '#contract/bulletin';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useAllModels } from '../../chat/use-models.ts';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { Button } from '../../design/button.tsx';
import { CheckList } from '../../design/check-list.tsx';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { useBulletinWords } from '../../language/bulletin-words.ts';
import { useWords } from '../../language/language.tsx';
import { useStatusWords } from '../../language/status-words.ts';

const impacts: readonly IncidentImpact[] = ['maintenance', 'degraded', 'outage'];
const nothing = {
  title: '',
  impact: 'degraded' as IncidentImpact,
  models: [] as readonly string[],
  text: '',
};

export function IncidentForm() {
  const words = useBulletinWords();
  const status = useStatusWords();
  const general = useWords();
  const client = useClient();
  const queries = useQueryClient();
  const models = useAllModels();
  const [draft, setDraft] = useState(nothing);
  const open = useMutation({
    mutationFn: () => client.call('POST /console/administration/incidents', { body: draft }),
    onSuccess: () => {
      setDraft(nothing);
      return queries.invalidateQueries({ queryKey: queryKeys.incidents });
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        open.mutate();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <TextField
          label={words.title}
          required
          maxLength={120}
          value={draft.title}
          onChange={(event) => setDraft({ ...draft, title: event.target.value })}
        />
        <SelectField
          label={words.impact}
          value={draft.impact}
          onChange={(event) => setDraft({ ...draft, impact: event.target.value as IncidentImpact })}
        >
          {impacts.map((impact) => (
            <option key={impact} value={impact}>
              {status.impacts[impact]}
            </option>
          ))}
        </SelectField>
      </div>
      <TextArea
        label={words.firstWords}
        rows={3}
        required
        maxLength={2000}
        value={draft.text}
        problem={open.error === null ? undefined : failureSentence(open.error, general)}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      />
      <CheckList
        key={open.submittedAt}
        legend={words.models}
        hint={words.modelsHint}
        choices={models.map(({ id }) => ({ value: id, label: id }))}
        chosen={draft.models}
        choose={(chosen) => setDraft({ ...draft, models: chosen })}
      />
      <Button type="submit" kind="primary" className="self-start" disabled={open.isPending}>
        {words.openIncident}
      </Button>
    </form>
  );
}
