import katex from 'katex';
import 'katex/dist/katex.min.css';

/**
 * Fetched with the first formula. KaTeX builds DOM nodes and sets styles through the object model, so neither
 * markup from a model nor the content security policy stands in the way. False when the source cannot be read.
 */
export function renderMath(source: string, place: HTMLElement, isBlock: boolean): boolean {
  if (source.length > maxSourceCharacters) return false;
  try {
    katex.render(source, place, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxExpand: 500,
      maxSize: 20,
    });
    return true;
  } catch {
    return false;
  }
}

/** A formula longer than a page is none. */
const maxSourceCharacters = 6000;
