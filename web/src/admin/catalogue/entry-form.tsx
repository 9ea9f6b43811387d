import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { DialogActions } from '../../design/dialog.tsx';
import { useEnginesWords } from '../../language/engines-words.ts';
import { useWords } from '../../language/language.tsx';
import { TrialResult } from '../trial-result.tsx';
import { type EntryFields, useEntryProblems, useSaveEntry, useTryEntry } from './use-catalogue.ts';

export interface EntryFormProps {
  /** The one to be changed; without it a new one is made. */
  readonly entry: EntryFields | undefined;
  readonly done: () => void;
}

/** An entry of the catalogue is tried and kept, and what is wrong with it stands at its fields. */
export function useKeeping(
  list: 'engines' | 'models',
  name: string | undefined,
  fields: readonly string[],
  done: () => void,
) {
  const save = useSaveEntry(list, name, done);
  const trial = useTryEntry(list, name);
  return { save, trial, problem: useEntryProblems(save.error ?? trial.error, fields) };
}

interface EntryFrameProps {
  readonly keeping: ReturnType<typeof useKeeping>;
  readonly isNew: boolean;
  /** What the fields say now. */
  readonly written: () => EntryFields;
  readonly cannotBeTried?: boolean;
  /** Of an engine: the model that is asked for a trial. */
  readonly upstreamModel?: string;
  readonly done: () => void;
  readonly children: ReactNode;
}

/** What is around the fields of an engine or a model. */
export function EntryForm(props: EntryFrameProps) {
  const { keeping, isNew, written, cannotBeTried = false, upstreamModel = '', done, children } = props;
  const { save, trial, problem } = keeping;
  const words = useEnginesWords();
  const { general } = useWords();
  const elsewhere = problem();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        trial.reset();
        save.mutate(written());
      }}
    >
      {children}
      {!cannotBeTried && (
        <TrialResult
          isPending={trial.isPending}
          problem={undefined}
          trial={trial.data}
          whom={trial.data && words.askedWhom(trial.data.engine, trial.data.upstreamModel ?? '–')}
        />
      )}
      {elsewhere !== undefined && (
        <p role="alert" className="text-danger">
          {elsewhere}
        </p>
      )}
      <DialogActions>
        {!cannotBeTried && (
          <Button
            className="me-auto"
            disabled={trial.isPending}
            onClick={() => {
              save.reset();
              trial.mutate({ entry: written(), upstreamModel: upstreamModel || undefined });
            }}
          >
            {words.tryOut}
          </Button>
        )}
        <Button onClick={done}>{general.cancel}</Button>
        <Button type="submit" kind="primary" disabled={save.isPending}>
          {isNew ? words.add : words.save}
        </Button>
      </DialogActions>
    </form>
  );
}
