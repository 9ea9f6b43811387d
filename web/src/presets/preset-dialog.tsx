import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { Effort } from '#contract/fields';
import type { Preset, PresetWishes } from '#contract/presets';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import type { AnswerSettings } from '../chat/conversation.ts';
import { useModels } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { numberFields, readForm, toForm } from '../composer/parameter-form.ts';
import { Button } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../design/field.tsx';
import { useWords } from '../language/language.tsx';
import { usePresetsWords } from '../language/presets-words.ts';
import { modelsIn, useSpaceOf } from '../spaces/use-spaces.ts';
import { type PresetOwner, useSavePreset } from './use-preset-writing.ts';

interface PresetDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** Whose it will be. */
  readonly owner: PresetOwner;
  /** Undefined for a new one. */
  readonly preset: Preset | undefined;
  /** What a new one begins with. */
  readonly settings?: AnswerSettings | undefined;
}

export function PresetDialog({ isOpen, close, owner, preset, settings }: PresetDialogProps) {
  const words = usePresetsWords();
  return (
    <Dialog
      isOpen={isOpen}
      close={close}
      title={preset === undefined ? words.createTitle : words.changeTitle}
      isWide
    >
      <PresetForm close={close} owner={owner} preset={preset} settings={settings} />
    </Dialog>
  );
}

function PresetForm({ close, owner, preset, settings }: Omit<PresetDialogProps, 'isOpen'>) {
  const words = usePresetsWords();
  const everywhere = useWords();
  const notices = useNotices();
  const models = useModels();
  const projectId = owner.scope === 'project' ? owner.projectId : undefined;
  const space = useSpaceOf({ chatId: null, projectId });
  const servers = useToolServers();
  const begin = preset ?? settings;
  const [name, setName] = useState(preset?.name ?? '');
  const [description, setDescription] = useState(preset?.description ?? '');
  const [model, setModel] = useState(begin?.model ?? '');
  const [effort, setEffort] = useState<Effort | ''>(begin?.effort ?? '');
  const [instructions, setInstructions] = useState(begin?.systemPrompt ?? '');
  const [prompt, setPrompt] = useState(preset?.prompt ?? '');
  const [form, setForm] = useState(() => toForm(begin?.parameters ?? {}));
  const [tools, setTools] = useState<readonly string[]>(begin?.parameters?.toolServers ?? []);
  const [problem, setProblem] = useState<string>();
  const save = useSavePreset(owner, preset?.id);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form inside a portal still belongs to the composer's form in React's eyes.
    event.stopPropagation();
    const read = readForm(form);
    const trimmed = name.trim().replace(/^\//, '');
    if (!/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u.test(trimmed)) return setProblem(words.nameProblem);
    if ('problems' in read) return setProblem(everywhere.parameters.problem);
    const parameters = { ...read.parameters, ...(tools.length > 0 && { toolServers: tools }) };
    const wishes: PresetWishes = {
      name: trimmed,
      description: description.trim(),
      model: model === '' ? null : model,
      effort: effort === '' ? null : effort,
      systemPrompt: instructions.trim() === '' ? null : instructions.trim(),
      parameters: Object.keys(parameters).length === 0 ? null : parameters,
      prompt,
    };
    const isEmpty = wishes.model === null && wishes.effort === null && wishes.systemPrompt === null;
    if (isEmpty && wishes.parameters === null && prompt.trim() === '') return setProblem(words.nothing);
    setProblem(undefined);
    save.mutate(wishes, {
      onSuccess: () => {
        notices.tell(words.saved(trimmed));
        close();
      },
    });
  };
  const names = modelsIn(space, models).map(({ id }) => id);
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          maxLength={40}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={words.description}
          value={description}
          maxLength={200}
          dir="auto"
          onChange={(event) => setDescription(event.target.value)}
        />
      </div>
      <TextArea
        label={words.prompt}
        hint={words.promptHint}
        rows={3}
        maxLength={20_000}
        dir="auto"
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={words.model} value={model} onChange={(event) => setModel(event.target.value)}>
          <option value="">{words.asItIs}</option>
          {[...new Set(model === '' ? names : [...names, model])].map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={words.effort}
          value={effort}
          onChange={(event) => setEffort(event.target.value as Effort | '')}
        >
          <option value="">{words.asItIs}</option>
          {(['low', 'medium', 'high'] as const).map((level) => (
            <option key={level} value={level}>
              {words.efforts[level]}
            </option>
          ))}
        </SelectField>
      </div>
      <TextArea
        label={words.instructions}
        hint={words.instructionsHint}
        rows={4}
        maxLength={100_000}
        dir="auto"
        value={instructions}
        onChange={(event) => setInstructions(event.target.value)}
      />
      <details className="group" open={begin?.parameters != null && Object.keys(begin.parameters).length > 0}>
        <summary className="cursor-pointer text-[0.9375rem] font-[550]">{words.parameters}</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-3">
          {numberFields.map(({ name: field, ...limits }) => (
            <TextField
              key={field}
              type="number"
              inputMode="decimal"
              label={everywhere.parameters.names[field]}
              placeholder={everywhere.parameters.modelDefault}
              value={form[field]}
              {...limits}
              onChange={(event) => setForm((now) => ({ ...now, [field]: event.target.value }))}
            />
          ))}
        </div>
      </details>
      {servers.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-[0.9375rem] font-[550]">{words.tools}</legend>
          {servers.map((server) => (
            <CheckField
              key={server.name}
              label={server.label}
              checked={tools.includes(server.name)}
              onChange={(event) =>
                setTools((now) => [
                  ...now.filter((other) => other !== server.name),
                  ...(event.target.checked ? [server.name] : []),
                ])
              }
            />
          ))}
        </fieldset>
      )}
      {(problem !== undefined || save.error !== null) && (
        <p role="alert" className="text-danger">
          {problem ?? failureSentence(save.error, everywhere)}
        </p>
      )}
      <DialogActions>
        <Button onClick={close}>{everywhere.general.cancel}</Button>
        <Button kind="primary" type="submit" disabled={save.isPending}>
          {everywhere.general.save}
        </Button>
      </DialogActions>
    </form>
  );
}

function useToolServers() {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.tools,
    queryFn: () => client.call('GET /console/tools', {}),
    staleTime: 60_000,
  });
  return data?.servers ?? [];
}
