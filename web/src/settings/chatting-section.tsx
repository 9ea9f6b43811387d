import { useState } from 'react';
import type { Effort } from '#contract/fields';
import type { Preferences } from '#contract/session';
import { useModels } from '../chat/use-models.ts';
import { Button } from '../design/button.tsx';
import { CheckField, SelectField, TextArea } from '../design/field.tsx';
import { Section } from '../design/section.tsx';
import { useContextWords } from '../language/context-words.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { NotificationsSection } from './notifications-section.tsx';
import { usePreferences } from './use-preferences.ts';

export function ChattingSection() {
  const words = usePagesWords();
  const context = useContextWords();
  const models = useModels();
  const { preferences, change } = usePreferences();
  const [prompt, setPrompt] = useState(preferences.systemPrompt);
  return (
    <>
      <Section title={words.chatting.newChats} lead={words.chatting.newChatsLead}>
        <div className="grid max-w-xl gap-4 sm:grid-cols-2">
          <SelectField
            label={words.chatting.model}
            value={preferences.defaultModel}
            onChange={(event) => void change({ defaultModel: event.target.value })}
          >
            <option value="">{words.chatting.firstModel}</option>
            {models.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </SelectField>
          <SelectField
            label={words.chatting.effort}
            value={preferences.defaultEffort ?? ''}
            onChange={(event) =>
              void change({
                defaultEffort: event.target.value === '' ? null : (event.target.value as Effort),
              })
            }
          >
            <option value="">{words.parameters.modelDefault}</option>
            {effortLevels.map((level) => (
              <option key={level} value={level}>
                {words.effort.levels[level].name}
              </option>
            ))}
          </SelectField>
        </div>
      </Section>
      <Section title={words.parameters.systemPrompt} lead={words.chatting.systemPromptLead}>
        <form
          className="flex flex-col items-start gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            void change({ systemPrompt: prompt.trim() });
          }}
        >
          <div className="w-full">
            <TextArea
              label={words.parameters.systemPrompt}
              rows={5}
              maxLength={20_000}
              value={prompt}
              onChange={(event) => setPrompt(event.target.value)}
            />
          </div>
          <Button type="submit" disabled={prompt.trim() === preferences.systemPrompt}>
            {words.general.save}
          </Button>
        </form>
      </Section>
      <Section title={context.settings.title}>
        <div className="max-w-xl">
          <SelectField
            label={context.settings.label}
            value={preferences.whenFull}
            onChange={(event) => void change({ whenFull: event.target.value as Preferences['whenFull'] })}
          >
            {wishes.map((wish) => (
              <option key={wish} value={wish}>
                {context.settings[wish]}
              </option>
            ))}
          </SelectField>
        </div>
      </Section>
      <Section title={words.chatting.titles}>
        <CheckField
          label={words.chatting.automaticTitles}
          hint={words.chatting.automaticTitlesHint}
          checked={preferences.automaticTitles}
          onChange={(event) => void change({ automaticTitles: event.target.checked })}
        />
      </Section>
      <NotificationsSection />
    </>
  );
}

const wishes: readonly Preferences['whenFull'][] = ['ask', 'summarise', 'leaveOut'];
const effortLevels: readonly Effort[] = ['low', 'medium', 'high'];
