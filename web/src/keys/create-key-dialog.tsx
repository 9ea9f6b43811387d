import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyLimits } from '#contract/keys';
import { everyone } from '../standing/everyone.ts';
import { failureSentence } from '../app/failure-sentence.ts';
import { useAllModels } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { Button } from '../design/button.tsx';
import { CheckList } from '../design/check-list.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../design/field.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { useStanding } from '../standing/use-standing.ts';
import { expiryChoices, expiryMoment } from './expiry.ts';
import type { NewSecret } from './new-secret-dialog.tsx';

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly limits: KeyLimits;
  readonly reveal: (secret: NewSecret) => void;
}

export function CreateKeyDialog(props: CreateKeyDialogProps) {
  const words = usePagesWords();
  return (
    <Dialog
      isOpen={props.isOpen}
      close={props.close}
      title={words.keys.create}
      description={words.keys.createLead}
    >
      <CreateKeyForm {...props} />
    </Dialog>
  );
}

function CreateKeyForm({ close, limits, reveal }: CreateKeyDialogProps) {
  const words = usePagesWords();
  const client = useClient();
  const choices = expiryChoices(limits.maxLifetimeDays);
  const projects = useStanding().data?.projects ?? [];
  const [name, setName] = useState('');
  const [projectId, setProjectId] = useState(everyone);
  const [isBackground, setIsBackground] = useState(false);
  const [days, setDays] = useState(choices.at(-1) ?? null);
  const [models, setModels] = useState<readonly string[]>([]);
  const [networks, setNetworks] = useState('');
  const [hasRestrictions, setHasRestrictions] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      client.call('POST /console/keys', {
        body: {
          name: name.trim(),
          expiresAt: expiryMoment(days, Date.now()),
          isBackground,
          ...(projectId === everyone ? {} : { projectId }),
          ...(hasRestrictions
            ? { models: [...models], networks: networks.split(/[\s,]+/).filter(Boolean) }
            : {}),
        },
      }),
    onSuccess: ({ key, secret }) => {
      close();
      reveal({ key, secret });
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') create.mutate();
      }}
    >
      <TextField
        label={words.keys.name}
        hint={words.keys.nameHint}
        placeholder={words.keys.nameExample}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label={words.keys.expires}
        value={days ?? ''}
        onChange={(event) => setDays(event.target.value === '' ? null : Number(event.target.value))}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice ?? ''}>
            {choice === null ? words.general.never : words.keys.inDays(choice)}
          </option>
        ))}
      </SelectField>
      {projects.length > 1 && (
        <SelectField
          label={words.keys.project}
          hint={words.keys.projectHint}
          value={projectId}
          onChange={(event) => setProjectId(event.target.value)}
        >
          {projects.map(({ id, name: called }) => (
            <option key={id} value={id}>
              {id === everyone ? words.standing.everyone : called}
            </option>
          ))}
        </SelectField>
      )}
      <CheckField
        label={words.keys.background}
        hint={words.keys.backgroundHint}
        checked={isBackground}
        onChange={(event) => setIsBackground(event.target.checked)}
      />
      <CheckField
        label={words.keys.restrict}
        hint={words.keys.restrictHint}
        checked={hasRestrictions}
        onChange={(event) => setHasRestrictions(event.target.checked)}
      />
      {hasRestrictions && (
        <>
          <ModelChoice chosen={models} choose={setModels} />
          <TextArea
            label={words.keys.networks}
            hint={words.keys.networksHint}
            rows={2}
            className="font-mono text-[0.84375rem]"
            value={networks}
            onChange={(event) => setNetworks(event.target.value)}
          />
        </>
      )}
      {create.error !== null && (
        <p role="alert" className="text-danger">
          {failureSentence(create.error, words)}
        </p>
      )}
      <DialogActions>
        <Button onClick={close}>{words.general.cancel}</Button>
        <Button kind="primary" type="submit" disabled={name.trim() === '' || create.isPending}>
          {words.keys.createAction}
        </Button>
      </DialogActions>
    </form>
  );
}

function ModelChoice({
  chosen,
  choose,
}: {
  readonly chosen: readonly string[];
  readonly choose: (models: readonly string[]) => void;
}) {
  const words = usePagesWords();
  const models = useAllModels();
  return (
    <CheckList
      legend={words.keys.models}
      hint={words.keys.modelsHint}
      choices={models.map(({ id }) => ({ value: id, label: id }))}
      chosen={chosen}
      choose={choose}
    />
  );
}
