import { useSyncExternalStore } from 'react';
import { isLanguageTag, type LanguageTag } from './languages.ts';

/** Remembered in this browser too, so that the next page begins in it before anybody is known to it. */
const memory = 'gatehouse.language';

/** The language of these words: the one asked for, else that of the browser. */
export function chosenLanguage(language: string): LanguageTag {
  for (const wish of language === '' ? navigator.languages : [language]) {
    const [tag = ''] = wish.toLowerCase().split('-');
    if (isLanguageTag(tag)) return tag;
  }
  return 'en';
}

/** Empty means the browser's. */
export function rememberedLanguage(): string {
  return localStorage.getItem(memory) ?? '';
}

export function rememberLanguage(language: string): void {
  if (language === '') localStorage.removeItem(memory);
  else localStorage.setItem(memory, language);
  dispatchEvent(new Event(changed));
}

/** What was chosen in this browser by somebody who is not signed in, or by whoever was last. */
export function useRememberedLanguage(): string {
  return useSyncExternalStore(subscribe, rememberedLanguage);
}

const changed = 'gatehouse:language';

function subscribe(listen: () => void): () => void {
  addEventListener(changed, listen);
  return () => removeEventListener(changed, listen);
}
