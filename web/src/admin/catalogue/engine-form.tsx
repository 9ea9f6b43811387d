import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { DialogActions } from '../../design/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../design/field.tsx';
import { useEnginesWords } from '../../language/engines-words.ts';
import { useWords } from '../../language/language.tsx';
import { TrialResult } from '../trial-result.tsx';
import { numberFrom, textIn, withFields } from './entry-fields.ts';
import { type EntryFields, useEntryProblems, useSaveEntry, useTryEntry } from './use-catalogue.ts';

const kinds = ['vllm', 'sglang', 'llama-server', 'openai', 'embedded'] as const;
const fields = ['name', 'kind', 'url', 'credential', 'maxConcurrent', 'modelFile', 'upstreamModel'];

export interface EntryFormProps {
  /** The one to be changed; without it a new one is made. */
  readonly entry: EntryFields | undefined;
  readonly done: () => void;
}

export function EngineForm({ entry, done }: EntryFormProps) {
  const words = useEnginesWords();
  const general = useWords();
  const [draft, setDraft] = useState(() => draftOf(entry));
  const [upstreamModel, setUpstreamModel] = useState('');
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const name = entry === undefined ? undefined : textIn(entry, 'name');
  const save = useSaveEntry('engines', name, done);
  const trial = useTryEntry('engines', name);
  const problem = useEntryProblems(save.error ?? trial.error, fields);
  const isEmbedded = draft.kind === 'embedded';
  const hasCredential = entry?.['credential'] !== undefined;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        trial.reset();
        save.mutate(entryOf(draft, entry));
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {entry === undefined && (
          <TextField
            label={words.name}
            hint={words.nameHint}
            required
            maxLength={64}
            value={draft.name}
            problem={problem('name')}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
        <SelectField
          label={words.kind}
          value={draft.kind}
          problem={problem('kind')}
          onChange={(event) => change({ kind: event.target.value })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {words.kinds[kind]}
            </option>
          ))}
        </SelectField>
      </div>
      {isEmbedded ? (
        <TextField
          label={words.modelFile}
          hint={words.modelFileHint}
          required
          value={draft.modelFile}
          problem={problem('modelFile')}
          onChange={(event) => change({ modelFile: event.target.value })}
        />
      ) : (
        <>
          <TextField
            label={words.url}
            hint={words.urlHint}
            required
            inputMode="url"
            value={draft.url}
            problem={problem('url')}
            onChange={(event) => change({ url: event.target.value })}
          />
          <TextField
            label={words.credential}
            hint={hasCredential ? words.credentialKept : words.credentialHint}
            type="password"
            autoComplete="off"
            disabled={draft.isWithoutCredential}
            value={draft.credential}
            problem={problem('credential')}
            onChange={(event) => change({ credential: event.target.value })}
          />
          {hasCredential && (
            <CheckField
              label={words.withoutCredential}
              checked={draft.isWithoutCredential}
              onChange={(event) => change({ isWithoutCredential: event.target.checked, credential: '' })}
            />
          )}
        </>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.maxConcurrent}
          hint={words.maxConcurrentHint(isEmbedded ? 8 : 256)}
          inputMode="numeric"
          value={draft.maxConcurrent}
          problem={problem('maxConcurrent')}
          onChange={(event) => change({ maxConcurrent: event.target.value })}
        />
        {!isEmbedded && (
          <TextField
            label={words.testModel}
            hint={words.testModelHint}
            maxLength={200}
            value={upstreamModel}
            problem={problem('upstreamModel')}
            onChange={(event) => setUpstreamModel(event.target.value)}
          />
        )}
      </div>
      <FormEnd
        isNew={entry === undefined}
        isPending={save.isPending}
        problem={problem()}
        cancel={general.general.cancel}
        done={done}
        trial={isEmbedded ? undefined : trial}
        ask={() => {
          save.reset();
          trial.mutate({ entry: entryOf(draft, entry), upstreamModel: upstreamModel.trim() || undefined });
        }}
      />
    </form>
  );
}

interface FormEndProps {
  readonly isNew: boolean;
  readonly isPending: boolean;
  readonly problem: string | undefined;
  readonly cancel: string;
  readonly done: () => void;
  /** Undefined where nothing can be asked before it is kept. */
  readonly trial: ReturnType<typeof useTryEntry> | undefined;
  readonly ask: () => void;
}

export function FormEnd({ isNew, isPending, problem, cancel, done, trial, ask }: FormEndProps) {
  const words = useEnginesWords();
  return (
    <>
      {trial !== undefined && (
        <TrialResult
          isPending={trial.isPending}
          problem={undefined}
          trial={trial.data}
          whom={trial.data && words.askedWhom(trial.data.engine, trial.data.upstreamModel ?? '–')}
        />
      )}
      {problem !== undefined && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <DialogActions>
        {trial !== undefined && (
          <Button className="me-auto" disabled={trial.isPending} onClick={ask}>
            {words.tryOut}
          </Button>
        )}
        <Button onClick={done}>{cancel}</Button>
        <Button type="submit" kind="primary" disabled={isPending}>
          {isNew ? words.add : words.save}
        </Button>
      </DialogActions>
    </>
  );
}

interface Draft {
  readonly name: string;
  readonly kind: string;
  readonly url: string;
  /** Empty: the one that is kept, if there is one. */
  readonly credential: string;
  readonly isWithoutCredential: boolean;
  readonly maxConcurrent: string;
  readonly modelFile: string;
}

function draftOf(entry: EntryFields | undefined): Draft {
  return {
    name: textIn(entry, 'name'),
    kind: textIn(entry, 'kind') || 'vllm',
    url: textIn(entry, 'url'),
    credential: '',
    isWithoutCredential: false,
    maxConcurrent: textIn(entry, 'maxConcurrent'),
    modelFile: textIn(entry, 'modelFile'),
  };
}

function entryOf(draft: Draft, entry: EntryFields | undefined): EntryFields {
  const isEmbedded = draft.kind === 'embedded';
  const kept = draft.isWithoutCredential ? undefined : entry?.['credential'];
  return withFields(entry, {
    name: draft.name.trim(),
    kind: draft.kind,
    url: isEmbedded ? undefined : draft.url.trim(),
    credential: isEmbedded ? undefined : draft.credential || kept,
    maxConcurrent: numberFrom(draft.maxConcurrent),
    modelFile: isEmbedded ? draft.modelFile.trim() : undefined,
  });
}
