import { useState } from 'react';
import { CheckField, SelectField, TextField } from '../../design/field.tsx';
import { useEnginesWords } from '../../language/engines-words.ts';
import { EntryForm, type EntryFormProps, useKeeping } from './entry-form.tsx';
import { isSetIn, numberFrom, type Replica, replicasIn, textIn, withFields } from './entry-fields.ts';
import { type EntryFields, useCatalogue } from './use-catalogue.ts';

const forms = ['none', 'think-tags', 'separate'] as const;
const fields = [
  'id',
  'path',
  'engines',
  'description',
  'context',
  'reasoning',
  'queryPrefix',
  'passagePrefix',
];

export function ModelForm({ entry, done }: EntryFormProps) {
  const words = useEnginesWords();
  const [draft, setDraft] = useState(() => draftOf(entry));
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const id = entry === undefined ? undefined : textIn(entry, 'id');
  const keeping = useKeeping('models', id, fields, done);
  const { problem } = keeping;
  return (
    <EntryForm
      keeping={keeping}
      isNew={entry === undefined}
      written={() => entryOf(draft, entry)}
      done={done}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {entry === undefined && (
          <TextField
            label={words.id}
            hint={words.idHint}
            required
            maxLength={200}
            value={draft.id}
            problem={problem('id')}
            onChange={(event) => change({ id: event.target.value })}
          />
        )}
        <TextField
          label={words.path}
          hint={words.pathHint}
          maxLength={64}
          value={draft.path}
          problem={problem('path')}
          onChange={(event) => change({ path: event.target.value })}
        />
      </div>
      <Replicas
        replicas={draft.replicas}
        modelId={draft.id}
        problem={problem('engines')}
        change={(replicas) => change({ replicas })}
      />
      <TextField
        label={words.description}
        hint={words.descriptionHint}
        value={draft.description}
        problem={problem('description')}
        onChange={(event) => change({ description: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.context}
          hint={words.contextHint}
          inputMode="numeric"
          value={draft.context}
          problem={problem('context')}
          onChange={(event) => change({ context: event.target.value })}
        />
        <SelectField
          label={words.reasoning}
          value={draft.reasoning}
          problem={problem('reasoning')}
          onChange={(event) => change({ reasoning: event.target.value })}
        >
          {forms.map((form) => (
            <option key={form} value={form}>
              {words.reasoningForms[form]}
            </option>
          ))}
        </SelectField>
      </div>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="mb-1 text-[0.9375rem] font-[550]">{words.abilities}</legend>
        {(['tools', 'vision', 'reasoningEffort', 'embeddings'] as const).map((ability) => (
          <CheckField
            key={ability}
            label={words[ability]}
            checked={draft[ability]}
            onChange={(event) => change({ [ability]: event.target.checked })}
          />
        ))}
      </fieldset>
      {draft.embeddings && (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['queryPrefix', 'passagePrefix'] as const).map((prefix) => (
            <TextField
              key={prefix}
              label={words[prefix]}
              {...(prefix === 'queryPrefix' && { hint: words.prefixHint })}
              value={draft[prefix]}
              problem={problem(prefix)}
              onChange={(event) => change({ [prefix]: event.target.value })}
            />
          ))}
        </div>
      )}
    </EntryForm>
  );
}

interface ReplicasProps {
  readonly replicas: readonly Replica[];
  readonly modelId: string;
  readonly problem: string | undefined;
  readonly change: (replicas: readonly Replica[]) => void;
}

/** Which engines serve the model, and by which name each of them knows it. */
function Replicas({ replicas, modelId, problem, change }: ReplicasProps) {
  const words = useEnginesWords();
  const catalogue = useCatalogue();
  const names = new Set([
    ...catalogue.engines.map(({ name }) => name),
    ...replicas.map(({ engine }) => engine),
  ]);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-[0.9375rem] font-[550]">{words.servedBy}</legend>
      {[...names].map((engine) => {
        const replica = replicas.find((chosen) => chosen.engine === engine);
        const others = replicas.filter((chosen) => chosen.engine !== engine);
        return (
          <div key={engine} className="grid items-center gap-x-4 gap-y-1 sm:min-h-10 sm:grid-cols-2">
            <CheckField
              label={engine}
              checked={replica !== undefined}
              onChange={(event) => change(event.target.checked ? [...others, { engine }] : others)}
            />
            {replica !== undefined && (
              <input
                className="field"
                aria-label={words.nameAt(engine)}
                placeholder={modelId === '' ? words.nameAt(engine) : modelId}
                value={textIn(replica, 'model')}
                onChange={(event) =>
                  change(
                    replicas.map((chosen) =>
                      chosen === replica ? { ...chosen, model: event.target.value } : chosen,
                    ),
                  )
                }
              />
            )}
          </div>
        );
      })}
      <p className={problem === undefined ? 'text-sm text-ink-soft' : 'text-sm text-danger'} role="status">
        {problem ?? words.servedByHint}
      </p>
    </fieldset>
  );
}

interface Draft {
  readonly id: string;
  readonly path: string;
  readonly replicas: readonly Replica[];
  readonly description: string;
  readonly context: string;
  readonly reasoning: string;
  readonly tools: boolean;
  readonly vision: boolean;
  readonly reasoningEffort: boolean;
  readonly embeddings: boolean;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
}

function draftOf(entry: EntryFields | undefined): Draft {
  return {
    id: textIn(entry, 'id'),
    path: textIn(entry, 'path'),
    replicas: replicasIn(entry),
    description: textIn(entry, 'description'),
    context: textIn(entry, 'context'),
    reasoning: textIn(entry, 'reasoning') || 'none',
    tools: isSetIn(entry, 'tools'),
    vision: isSetIn(entry, 'vision'),
    reasoningEffort: isSetIn(entry, 'reasoningEffort'),
    embeddings: isSetIn(entry, 'embeddings'),
    queryPrefix: textIn(entry, 'queryPrefix'),
    passagePrefix: textIn(entry, 'passagePrefix'),
  };
}

function entryOf({ replicas, context, ...draft }: Draft, entry: EntryFields | undefined): EntryFields {
  return withFields(entry, {
    ...draft,
    id: draft.id.trim(),
    path: draft.path.trim(),
    context: numberFrom(context),
    engines: replicas.map((replica) => withFields(replica, { model: textIn(replica, 'model').trim() })),
  });
}
