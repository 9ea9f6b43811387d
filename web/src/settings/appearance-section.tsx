import { useState } from 'react';
import { areSingleKeysOn, setSingleKeys } from '../app/shortcuts.ts';
import { CheckField, SelectField } from '../design/field.tsx';
import { ChoiceCards } from '../design/choice-cards.tsx';
import { Section } from '../design/section.tsx';
import { languageNames } from '../language/languages.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { usePreferences } from './use-preferences.ts';

export function AppearanceSection() {
  const words = usePagesWords();
  const { preferences, change } = usePreferences();
  const [hasSingleKeys, setHasSingleKeys] = useState(areSingleKeysOn);
  return (
    <>
      <Section title={words.appearance.theme}>
        <ChoiceCards
          name={words.appearance.theme}
          chosen={preferences.theme}
          choices={[
            { value: 'system', label: words.appearance.system },
            { value: 'light', label: words.appearance.light },
            { value: 'dark', label: words.appearance.dark },
          ]}
          choose={(theme) => void change({ theme })}
        />
      </Section>
      <Section title={words.appearance.language}>
        <div className="max-w-xs">
          <SelectField
            label={words.appearance.languageLabel}
            value={preferences.language}
            onChange={(event) => void change({ language: event.target.value })}
          >
            <option value="">{words.appearance.browserLanguage}</option>
            {Object.entries(languageNames).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
      </Section>
      <Section title={words.appearance.keyboard}>
        <div className="flex flex-col gap-3">
          <CheckField
            label={words.appearance.sendWithEnter}
            hint={words.appearance.sendWithEnterHint}
            checked={preferences.sendWithEnter}
            onChange={(event) => void change({ sendWithEnter: event.target.checked })}
          />
          <CheckField
            label={words.appearance.singleKeys}
            hint={words.appearance.singleKeysHint}
            checked={hasSingleKeys}
            onChange={(event) => {
              setSingleKeys(event.target.checked);
              setHasSingleKeys(event.target.checked);
            }}
          />
        </div>
      </Section>
    </>
  );
}
