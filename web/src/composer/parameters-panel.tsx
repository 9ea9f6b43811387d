import { useEffect, useState } from 'react';
import type { Parameters } from '#contract/messages';
import type { Model } from '#contract/models';
import type { Conversation } from '../chat/conversation.ts';
import { Button } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { TextArea, TextField } from '../design/field.tsx';
import { useWords } from '../language/language.tsx';
import { numberFields, readForm, toForm, type ParameterForm } from './parameter-form.ts';

interface ParametersPanelProps {
  readonly conversation: Conversation;
  readonly model: Model | undefined;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** System prompt and sampling for this chat. Empty fields leave the choice to the model. */
export function ParametersPanel({ conversation, model, isOpen, close }: ParametersPanelProps) {
  const words = useWords();
  return (
    <Dialog
      isOpen={isOpen}
      close={close}
      title={words.parameters.title}
      description={words.parameters.explained}
      isWide
    >
      <ParametersForm
        systemPrompt={conversation.settings.systemPrompt}
        parameters={conversation.settings.parameters}
        // A result is given to a stored call; a temporary chat has nowhere to keep it.
        supportsTools={model?.supportsTools === true && conversation.kind !== 'temporary'}
        close={close}
        save={({ systemPrompt, parameters }) => {
          // Which servers are on is chosen elsewhere.
          const { toolServers } = conversation.settings.parameters;
          const kept = toolServers === undefined ? {} : { toolServers };
          conversation.changeSettings({ systemPrompt, parameters: { ...parameters, ...kept } });
          close();
        }}
      />
    </Dialog>
  );
}

interface ParametersFormProps {
  readonly systemPrompt: string;
  readonly parameters: Parameters;
  readonly supportsTools: boolean;
  readonly close: () => void;
  readonly save: (change: { readonly systemPrompt: string; readonly parameters: Parameters }) => void;
}

function ParametersForm({ systemPrompt, parameters, supportsTools, close, save }: ParametersFormProps) {
  const words = useWords();
  const [prompt, setPrompt] = useState(systemPrompt);
  const [form, setForm] = useState<ParameterForm>(() => toForm(parameters));
  const [problems, setProblems] = useState<ReadonlySet<keyof ParameterForm>>(new Set());
  useEffect(() => setForm(toForm(parameters)), [parameters]);
  const set = (name: keyof ParameterForm, value: string) => setForm((now) => ({ ...now, [name]: value }));
  const problemOf = (name: keyof ParameterForm) =>
    problems.has(name) ? words.parameters.problem : undefined;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // A form inside a portal still belongs to the composer's form in React's eyes.
        event.stopPropagation();
        const read = readForm(form);
        if ('problems' in read) setProblems(read.problems);
        else save({ systemPrompt: prompt.trim(), parameters: read.parameters });
      }}
    >
      <TextArea
        label={words.parameters.systemPrompt}
        hint={words.parameters.systemPromptHint}
        rows={4}
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        {numberFields.map(({ name, ...limits }) => (
          <TextField
            key={name}
            type="number"
            inputMode="decimal"
            label={words.parameters.names[name]}
            hint={words.parameters.hints[name]}
            problem={problemOf(name)}
            placeholder={words.parameters.modelDefault}
            value={form[name]}
            {...limits}
            onChange={(event) => set(name, event.target.value)}
          />
        ))}
      </div>
      <TextArea
        label={words.parameters.names.stop}
        hint={words.parameters.hints.stop}
        problem={problemOf('stop')}
        rows={2}
        className="font-mono text-[0.84375rem]"
        value={form.stop}
        onChange={(event) => set('stop', event.target.value)}
      />
      {supportsTools && (
        <TextArea
          label={words.parameters.names.tools}
          hint={words.parameters.hints.tools}
          problem={problemOf('tools')}
          rows={5}
          className="font-mono text-[0.84375rem]"
          value={form.tools}
          onChange={(event) => set('tools', event.target.value)}
        />
      )}
      <DialogActions>
        <Button
          kind="quiet"
          className="me-auto"
          onClick={() => {
            setForm(toForm({}));
            setPrompt('');
          }}
        >
          {words.parameters.clear}
        </Button>
        <Button onClick={close}>{words.general.cancel}</Button>
        <Button kind="primary" type="submit">
          {words.parameters.save}
        </Button>
      </DialogActions>
    </form>
  );
}
