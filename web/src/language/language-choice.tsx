import { Icon } from '../design/icon.tsx';
import { rememberLanguage } from './chosen-language.ts';
import { useLanguage, useWords } from './language.tsx';
import { languageNames } from './languages.ts';

/** For people whom the service does not know yet: each language by its own name. */
export function LanguageChoice() {
  const words = useWords();
  const tag = useLanguage();
  return (
    <span className="relative inline-flex items-center text-sm text-ink-soft">
      <select
        aria-label={words.general.language}
        className="appearance-none rounded-md bg-transparent py-1 ps-2 pe-6 hover:text-ink"
        value={tag}
        onChange={(event) => rememberLanguage(event.target.value)}
      >
        {Object.entries(languageNames).map(([each, name]) => (
          <option key={each} value={each} lang={each}>
            {name}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute end-1.5">
        <Icon name="chevronDown" size={13} />
      </span>
    </span>
  );
}
