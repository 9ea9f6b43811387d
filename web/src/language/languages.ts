import type { AreaWords } from './areas.ts';
import type { Words } from './en/first.ts';

export type LanguageTag = 'en' | OtherTag;

/** Fetched when chosen, in two files. English comes with the pages themselves. */
type OtherTag = 'de' | 'fr' | 'es' | 'it' | 'uk' | 'zh' | 'ar';

interface WordFiles {
  /** What must be there before anything is shown. */
  readonly first: () => Promise<Words>;
  /** The rest: begun at the same time, waited for only where it is read. */
  readonly areas: () => Promise<AreaWords>;
}

/** As those call it who speak it, in the order of the choice. */
export const languageNames: Readonly<Record<LanguageTag, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  uk: 'Українська',
  zh: '简体中文',
  ar: 'العربية',
};

export const wordFiles: Readonly<Record<OtherTag, WordFiles>> = {
  de: {
    first: async () => (await import('./de/first.ts')).de,
    areas: async () => (await import('./de/areas.ts')).deAreas,
  },
  fr: {
    first: async () => (await import('./fr/first.ts')).fr,
    areas: async () => (await import('./fr/areas.ts')).frAreas,
  },
  es: {
    first: async () => (await import('./es/first.ts')).es,
    areas: async () => (await import('./es/areas.ts')).esAreas,
  },
  it: {
    first: async () => (await import('./it/first.ts')).it,
    areas: async () => (await import('./it/areas.ts')).itAreas,
  },
  uk: {
    first: async () => (await import('./uk/first.ts')).uk,
    areas: async () => (await import('./uk/areas.ts')).ukAreas,
  },
  zh: {
    first: async () => (await import('./zh/first.ts')).zh,
    areas: async () => (await import('./zh/areas.ts')).zhAreas,
  },
  ar: {
    first: async () => (await import('./ar/first.ts')).ar,
    areas: async () => (await import('./ar/areas.ts')).arAreas,
  },
};

export function isLanguageTag(text: string): text is LanguageTag {
  return Object.hasOwn(languageNames, text);
}

export function directionOf(tag: LanguageTag): 'ltr' | 'rtl' {
  return tag === 'ar' ? 'rtl' : 'ltr';
}
