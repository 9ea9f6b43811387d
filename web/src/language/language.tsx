import { DirectionProvider } from '@base-ui/react/direction-provider';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import type { AreaWords } from './areas.ts';
import { chosenLanguage, rememberedLanguage } from './chosen-language.ts';
import { en, type Words } from './en/first.ts';
import { listed } from './listed.ts';
import { directionOf, wordFiles, type LanguageTag } from './languages.ts';

interface Spoken {
  readonly tag: LanguageTag;
  readonly words: Words;
}

const english: Spoken = { tag: 'en', words: en };

const LanguageContext = createContext<Spoken>(english);

interface LanguageProviderProps {
  /** A tag; empty means the browser's. */
  readonly language: string;
  /** Shown while the first words are on their way: nobody reads a page in one language that turns into another. */
  readonly opening: ReactNode;
  readonly children: ReactNode;
}

/** Every word people read comes from here. English is in the page; other languages are fetched when chosen. */
export function LanguageProvider({ language, opening, children }: LanguageProviderProps) {
  const tag = chosenLanguage(language);
  const [spoken, setSpoken] = useState(tag === 'en' ? english : undefined);
  useEffect(() => {
    let isCurrent = true;
    void speak(tag).then((found) => {
      if (!isCurrent) return;
      document.documentElement.lang = found.tag;
      document.documentElement.dir = directionOf(found.tag);
      setSpoken(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [tag]);
  if (spoken === undefined) return opening;
  return (
    <LanguageContext value={spoken}>
      <DirectionProvider direction={directionOf(spoken.tag)}>{children}</DirectionProvider>
    </LanguageContext>
  );
}

/** Begins to fetch the language this browser spoke last, before it is known who is here. Called once. */
export function fetchRememberedLanguage(): void {
  void speak(chosenLanguage(rememberedLanguage()));
}

export function useWords(): Words {
  return use(LanguageContext).words;
}

export function useLanguage(): LanguageTag {
  return use(LanguageContext).tag;
}

export function useListed(): (names: readonly string[]) => string {
  const { tag } = use(LanguageContext);
  return (names) => listed(names, tag);
}

/**
 * The language tag for `Intl`: dates and numbers speak the language of the words, in the manner of the country that
 * the browser names with it, and with the digits of the words.
 */
export function useLanguageTag(): string {
  const { tag } = use(LanguageContext);
  const local = navigator.languages.find((one) => one.split('-')[0] === tag && isPlain.test(one));
  return `${local ?? tag}-u-nu-latn`;
}

/** Language, script and country. Some systems name more (`en-US@posix`), at which `Intl` throws. */
const isPlain = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/**
 * The words of an area that is itself loaded when it is opened: in English they come with it and weigh nothing
 * before. Makes the hook that gives them in the language of the page.
 */
export function areaWords<Area extends keyof AreaWords>(
  area: Area,
  inEnglish: AreaWords[Area],
): () => AreaWords[Area] {
  return function useAreaWords() {
    const { tag } = use(LanguageContext);
    if (tag === 'en') return inEnglish;
    // A file that cannot be fetched leaves the page readable, in English.
    return use(areasOf(tag))?.[area] ?? inEnglish;
  };
}

async function speak(tag: LanguageTag): Promise<Spoken> {
  if (tag === 'en') return english;
  void areasOf(tag);
  try {
    return { tag, words: await wordFiles[tag].first() };
  } catch {
    return english;
  }
}

const fetchedAreas = new Map<LanguageTag, Promise<AreaWords | undefined>>();

function areasOf(tag: Exclude<LanguageTag, 'en'>): Promise<AreaWords | undefined> {
  let areas = fetchedAreas.get(tag);
  if (areas === undefined) {
    areas = wordFiles[tag].areas().catch(() => undefined);
    fetchedAreas.set(tag, areas);
  }
  return areas;
}
