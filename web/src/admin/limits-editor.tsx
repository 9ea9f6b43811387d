import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { LimitAmounts, LimitsInForce, ProjectStanding } from '#contract/projects';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useAllModels } from '../chat/use-models.ts';
import { Button } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { SelectField, TextField } from '../design/field.tsx';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { useManageWords } from '../language/manage-words.ts';

type LimitName = ProjectStanding['limit'];
type SaveLimits = (modelId: string | null, limits: LimitAmounts) => Promise<unknown>;

const names: readonly LimitName[] = [
  'requestsPerMinute',
  'tokensPerMinute',
  'requestsAtOnce',
  'costPerDay',
  'costPerMonth',
  'costInTotal',
];

interface LimitsEditorProps {
  readonly inForce: LimitsInForce;
  /** Undefined for those who may only look. */
  readonly save: SaveLimits | undefined;
}

/** Limits as they are: what the settings say, what was said besides, for all models together and for single ones. */
export function LimitsEditor({ inForce, save }: LimitsEditorProps) {
  const words = useManageWords().limits;
  const [edited, setEdited] = useState<{ readonly modelId: string | null }>();
  const { configured, exceptions } = inForce;
  const general = exceptions.find(({ modelId }) => modelId === null)?.limits ?? {};
  const special = exceptions.flatMap(({ modelId, limits }) =>
    modelId === null ? [] : [{ modelId, limits }],
  );
  return (
    <>
      <ul
        className={`divide-y divide-hairline border-t border-hairline ${save === undefined ? '' : 'border-b'}`}
      >
        <LimitsRow
          title={words.allModels}
          limits={general}
          configured={configured}
          edit={save && (() => setEdited({ modelId: null }))}
        />
        {special.map(({ modelId, limits }) => (
          <LimitsRow
            key={modelId}
            title={modelId}
            limits={limits}
            configured={{}}
            edit={save && (() => setEdited({ modelId }))}
          />
        ))}
      </ul>
      {save !== undefined && (
        <>
          <Button className="mt-3" size="small" onClick={() => setEdited({ modelId: '' })}>
            {words.addModel}
          </Button>
          <Dialog
            isOpen={edited !== undefined}
            close={() => setEdited(undefined)}
            title={words.edit}
            description={words.explained}
          >
            {edited !== undefined && (
              <LimitsForm
                modelId={edited.modelId}
                limits={exceptions.find(({ modelId }) => modelId === edited.modelId)?.limits ?? {}}
                configured={edited.modelId === null ? configured : {}}
                save={save}
                close={() => setEdited(undefined)}
              />
            )}
          </Dialog>
        </>
      )}
    </>
  );
}

interface LimitsRowProps {
  readonly title: string;
  readonly limits: LimitAmounts;
  readonly configured: LimitAmounts;
  readonly edit: (() => void) | undefined;
}

function LimitsRow({ title, limits, configured, edit }: LimitsRowProps) {
  const words = useManageWords();
  const { limits: limitWords } = usePagesWords().standing;
  const numbers = new Intl.NumberFormat(useLanguageTag());
  const told = names.flatMap((name) => {
    const amount = limits[name] ?? configured[name];
    return amount === undefined ? [] : [{ name, amount, isConfigured: limits[name] === undefined }];
  });
  return (
    <li className="flex items-start justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-[550] break-words">{title}</p>
        {told.length === 0 && <p className="text-[0.9375rem] text-ink-soft">{words.limits.unlimited}</p>}
        <dl className="flex flex-wrap gap-x-6 gap-y-0.5 text-[0.9375rem]">
          {told.map(({ name, amount, isConfigured }) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-ink-soft">{limitWords[name]}</dt>
              <dd className="tabular-nums">
                {numbers.format(amount)}
                {isConfigured && <span className="text-ink-faint"> ({words.limits.configured})</span>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {edit !== undefined && (
        <Button size="small" aria-label={`${words.edit}: ${title}`} onClick={edit}>
          {words.edit}
        </Button>
      )}
    </li>
  );
}

interface LimitsFormProps {
  /** Null for all models together; empty while the model is still to be chosen. */
  readonly modelId: string | null;
  readonly limits: LimitAmounts;
  readonly configured: LimitAmounts;
  readonly save: SaveLimits;
  readonly close: () => void;
}

function LimitsForm({ modelId, limits, configured, save, close }: LimitsFormProps) {
  const words = usePagesWords();
  const { limits: limitWords } = useManageWords();
  const numbers = new Intl.NumberFormat(useLanguageTag());
  const notices = useNotices();
  const models = useAllModels();
  const [model, setModel] = useState(modelId === '' ? (models[0]?.id ?? '') : modelId);
  const [written, setWritten] = useState<Partial<Record<LimitName, string>>>(() =>
    Object.fromEntries(
      names.flatMap((name) => (limits[name] === undefined ? [] : [[name, String(limits[name])]])),
    ),
  );
  const change = useMutation({
    mutationFn: (next: LimitAmounts) => save(model, next),
    onSuccess: () => {
      notices.tell(limitWords.saved);
      close();
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(readAmounts(written));
      }}
    >
      {modelId === '' && (
        <SelectField
          label={limitWords.model}
          value={model ?? ''}
          onChange={(event) => setModel(event.target.value)}
        >
          {models.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </SelectField>
      )}
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {names.map((name) => (
          <TextField
            key={name}
            label={words.standing.limits[name]}
            inputMode="decimal"
            type="number"
            min={0}
            step={name.startsWith('cost') ? 'any' : 1}
            placeholder={limitWords.emptyHint(
              configured[name] === undefined ? undefined : numbers.format(configured[name]),
            )}
            value={written[name] ?? ''}
            onChange={(event) => setWritten({ ...written, [name]: event.target.value })}
          />
        ))}
      </div>
      {change.error !== null && (
        <p role="alert" className="text-danger">
          {failureSentence(change.error, words)}
        </p>
      )}
      <DialogActions>
        {Object.keys(limits).length > 0 && (
          <Button className="me-auto" disabled={change.isPending} onClick={() => change.mutate({})}>
            {limitWords.clear}
          </Button>
        )}
        <Button onClick={close}>{words.general.cancel}</Button>
        <Button kind="primary" type="submit" disabled={change.isPending}>
          {limitWords.save}
        </Button>
      </DialogActions>
    </form>
  );
}

function readAmounts(written: Partial<Record<LimitName, string>>): LimitAmounts {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = written[name]?.trim() ?? '';
      return text === '' ? [] : [[name, Number(text)]];
    }),
  );
}
