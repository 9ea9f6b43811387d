import katex from 'katex';
import 'katex/dist/katex.min.css';

/**
 * Fetched with the first formula. KaTeX builds DOM nodes and sets styles through the object model, so neither
 * markup from a model nor the content security policy stands in the way. False when the source cannot be read.
 */
export function renderMath(source: string, place: HTMLElement, isBlock: boolean): boolean {
  if (source.length > maxSourceCharacters) return false;
  const name = `${isBlock ? 'block' : 'line'} ${source}`;
  const known = drawn.get(name);
  if (known !== undefined) {
    place.replaceChildren(known.cloneNode(true));
    return true;
  }
  try {
    katex.render(source, place, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxExpand: 500,
      maxSize: 20,
    });
  } catch {
    return false;
  }
  if (source.length <= maxRepeatedCharacters) keep(name, place);
  return true;
}

/** A text speaks of its few symbols again and again: copies of what was drawn lately, `maxDrawn` of them. */
const drawn = new Map<string, DocumentFragment>();
const maxDrawn = 200;
const maxRepeatedCharacters = 200;

function keep(name: string, place: HTMLElement): void {
  const copy = document.createDocumentFragment();
  copy.append(...Array.from(place.childNodes, (node) => node.cloneNode(true)));
  drawn.set(name, copy);
  for (const oldest of drawn.keys()) {
    if (drawn.size <= maxDrawn) break;
    drawn.delete(oldest);
  }
}

/** A formula longer than a page is none. */
const maxSourceCharacters = 6000;
