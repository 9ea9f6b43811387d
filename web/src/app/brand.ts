import { useEffect } from 'react';
import { shadesOf, type AccentShades } from '../design/accent.ts';
import { darkPapers, lightPapers } from '../design/papers.ts';

/** One sheet for the colour of the house; empty where the house has its own. */
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

export function useAccent(accent: string | null | undefined): void {
  useEffect(() => {
    if (accent === undefined) return;
    sheet.replaceSync(
      accent === null
        ? ''
        : `:root { ${tokens(shadesOf(accent, lightPapers))} }
           :root[data-theme='dark'] { ${tokens(shadesOf(accent, darkPapers))} }`,
    );
  }, [accent]);
}

function tokens({ accent, strong, wash, onAccent }: AccentShades): string {
  return `--accent: ${accent}; --accent-strong: ${strong}; --accent-wash: ${wash}; --on-accent: ${onAccent};`;
}
