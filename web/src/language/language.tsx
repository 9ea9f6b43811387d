import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { en, type Words } from './en.ts';

/** Every word people read comes from here. English is in the page; other languages are fetched when chosen. */
export function LanguageProvider({
  language,
  children,
}: {
  readonly language: string;
  readonly children: ReactNode;
}) {
  const tag = chosenLanguage(language);
  const [loaded, setLoaded] = useState<{ readonly tag: LanguageTag; readonly words: Words }>({
    tag: 'en',
    words: en,
  });
  useEffect(() => {
    let isCurrent = true;
    languages[tag]
      .load()
      .then((words) => {
        if (!isCurrent) return;
        document.documentElement.lang = tag;
        setLoaded({ tag, words });
      })
      // A file that cannot be fetched leaves the words that are there.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [tag]);
  return <LanguageContext value={loaded}>{children}</LanguageContext>;
}

export function useWords(): Words {
  return use(LanguageContext).words;
}

/** The language tag for `Intl`: dates and numbers speak the language of the words. */
export function useLanguageTag(): string {
  return use(LanguageContext).tag;
}

/**
 * The words of an area that is itself loaded when it is opened: they come with it and weigh nothing before. Makes
 * the hook that gives them in the language of the page.
 */
export function areaWords<Area>(
  english: Area,
  others: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<Area>>>,
): () => Area {
  const fetched = new Map<string, Promise<Area>>();
  return function useAreaWords() {
    const { tag } = use(LanguageContext);
    if (tag === 'en') return english;
    let words = fetched.get(tag);
    if (words === undefined) {
      // A file that cannot be fetched leaves the page readable, in English.
      words = others[tag]().catch(() => english);
      fetched.set(tag, words);
    }
    return use(words);
  };
}

export type LanguageTag = keyof typeof languages;

export const languages = {
  en: { name: 'English', load: () => Promise.resolve(en) },
  de: { name: 'Deutsch', load: async (): Promise<Words> => (await import('./de.ts')).de },
} as const;

const LanguageContext = createContext<{ readonly tag: LanguageTag; readonly words: Words }>({
  tag: 'en',
  words: en,
});

/** Empty means the browser's choice. */
function chosenLanguage(language: string): LanguageTag {
  const wishes = language === '' ? navigator.languages : [language];
  for (const wish of wishes) {
    const tag = wish.slice(0, 2).toLowerCase();
    if (tag in languages) return tag as LanguageTag;
  }
  return 'en';
}
