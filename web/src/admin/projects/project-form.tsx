import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectRecord } from '#contract/projects';
import { failureSentence } from '../../app/failure-sentence.ts';
import { useAllModels } from '../../chat/use-models.ts';
import { Button } from '../../design/button.tsx';
import { CheckList } from '../../design/check-list.tsx';
import { DialogActions } from '../../design/dialog.tsx';
import { CheckField, TextArea, TextField } from '../../design/field.tsx';
import { useWords } from '../../language/language.tsx';
import { useManageWords } from '../../language/manage-words.ts';
import { dayOfEnd, endOfDay, idFrom } from './project-wishes.ts';

export interface ProjectWishes {
  readonly name: string;
  readonly description: string;
  readonly weight: number;
  readonly models: readonly string[];
  readonly endsAt: number | null;
  readonly groups: readonly string[];
  readonly sharesPrompts: boolean;
}

interface ProjectFormProps {
  /** Undefined for a new one, which also gets an id. */
  readonly project: ProjectRecord | undefined;
  readonly save: (id: string, wishes: ProjectWishes) => Promise<unknown>;
  readonly close: () => void;
}

export function ProjectForm({ project, save, close }: ProjectFormProps) {
  const words = useWords();
  const { projects } = useManageWords();
  const models = useAllModels();
  const [name, setName] = useState(project?.name ?? '');
  const [id, setId] = useState<string>();
  const [description, setDescription] = useState(project?.description ?? '');
  const [weight, setWeight] = useState(String(project?.weight ?? 1));
  const [chosen, setChosen] = useState<readonly string[]>(project?.models ?? []);
  const [day, setDay] = useState(dayOfEnd(project?.endsAt ?? null));
  const [groups, setGroups] = useState(project?.groups.join('\n') ?? '');
  const [sharesPrompts, setSharesPrompts] = useState(project?.sharesPrompts ?? false);
  const ownId = id ?? idFrom(name);
  const change = useMutation({
    mutationFn: () =>
      save(ownId, {
        name: name.trim(),
        description: description.trim(),
        weight: Number(weight),
        models: chosen,
        endsAt: endOfDay(day),
        groups: groups.split('\n').flatMap((line) => line.trim() || []),
        sharesPrompts,
      }),
    onSuccess: close,
  });
  const offered = [...new Set([...models.map((model) => model.id), ...chosen])];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') change.mutate();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={projects.name}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {project === undefined ? (
          <TextField
            label={projects.id}
            maxLength={64}
            className="font-mono text-[0.84375rem]"
            value={ownId}
            onChange={(event) => setId(event.target.value)}
          />
        ) : (
          <TextField
            label={projects.weight}
            type="number"
            min={0.01}
            max={1000}
            step="any"
            value={weight}
            onChange={(event) => setWeight(event.target.value)}
          />
        )}
      </div>
      {project === undefined && <p className="-mt-3 text-sm text-ink-soft">{projects.idHint}</p>}
      <TextField
        label={projects.description}
        hint={projects.descriptionHint}
        maxLength={500}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={projects.ends}
          hint={projects.endsHint}
          type="date"
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
        {project === undefined && (
          <TextField
            label={projects.weight}
            hint={projects.weightHint}
            type="number"
            min={0.01}
            max={1000}
            step="any"
            value={weight}
            onChange={(event) => setWeight(event.target.value)}
          />
        )}
        {project !== undefined && (
          <TextArea
            label={projects.groups}
            hint={projects.groupsHint}
            rows={2}
            value={groups}
            onChange={(event) => setGroups(event.target.value)}
          />
        )}
      </div>
      <CheckList
        legend={projects.models}
        hint={projects.modelsHint}
        choices={offered.map((model) => ({ value: model, label: model }))}
        chosen={chosen}
        choose={setChosen}
      />
      {project !== undefined && (
        <CheckField
          label={projects.sharesPrompts}
          hint={projects.sharesPromptsHint}
          checked={sharesPrompts}
          onChange={(event) => setSharesPrompts(event.target.checked)}
        />
      )}
      {change.error !== null && (
        <p role="alert" className="text-danger">
          {failureSentence(change.error, words)}
        </p>
      )}
      <DialogActions>
        <Button onClick={close}>{words.general.cancel}</Button>
        <Button kind="primary" type="submit" disabled={name.trim() === '' || change.isPending}>
          {project === undefined ? projects.createAction : projects.saveAction}
        </Button>
      </DialogActions>
    </form>
  );
}
