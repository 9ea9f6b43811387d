import { useState } from 'react';
import { CheckField, SelectField, TextField } from '../../design/field.tsx';
import { useEnginesWords } from '../../language/engines-words.ts';
import { EntryForm, type EntryFormProps, useKeeping } from './entry-form.tsx';
import { numberFrom, textIn, withFields } from './entry-fields.ts';
import type { EntryFields } from './use-catalogue.ts';

const kinds = ['vllm', 'sglang', 'llama-server', 'openai', 'embedded'] as const;
const fields = ['name', 'kind', 'url', 'credential', 'maxConcurrent', 'modelFile', 'upstreamModel'];

export function EngineForm({ entry, done }: EntryFormProps) {
  const words = useEnginesWords();
  const [draft, setDraft] = useState(() => draftOf(entry));
  const [upstreamModel, setUpstreamModel] = useState('');
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const name = entry === undefined ? undefined : textIn(entry, 'name');
  const keeping = useKeeping('engines', name, fields, done);
  const { problem } = keeping;
  const isEmbedded = draft.kind === 'embedded';
  const hasCredential = entry?.['credential'] !== undefined;
  return (
    <EntryForm
      keeping={keeping}
      isNew={entry === undefined}
      written={() => entryOf(draft, entry)}
      {...(isEmbedded ? { cannotBeTried: true } : { upstreamModel: upstreamModel.trim() })}
      done={done}
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
    </EntryForm>
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
