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
    katex.render(source, place, { ...options, displayMode: isBlock });
  } catch {
    return false;
  }
  if (source.length <= maxRepeatedCharacters) keep(drawn, name, copyOf(place));
  return true;
}

/** Its source, in a box as high as the formula will be when it is drawn. False when it cannot be read. */
export function holdPlace(source: string, place: HTMLElement): boolean {
  const height = heights.get(source) ?? heightOf(source);
  if (height === undefined) return false;
  keep(heights, source, height);
  const box = document.createElement('span');
  box.className = 'katex-display';
  const line = document.createElement('span');
  line.className = 'katex math-waiting';
  line.style.height = `${height}em`;
  line.textContent = source;
  box.append(line);
  place.replaceChildren(box);
  return true;
}

/** A text speaks of its few symbols again and again: copies of what was drawn lately, `maxKept` of them. */
const drawn = new Map<string, DocumentFragment>();
const heights = new Map<string, number>();
const maxKept = 200;
const maxRepeatedCharacters = 200;

function keep<Value>(kept: Map<string, Value>, name: string, value: Value): void {
  kept.set(name, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break;
    kept.delete(oldest);
  }
}

function copyOf(place: HTMLElement): DocumentFragment {
  const copy = document.createDocumentFragment();
  copy.append(...Array.from(place.childNodes, (node) => node.cloneNode(true)));
  return copy;
}

/** What KaTeX knows of a formula before there are elements: lines of boxes, in its own em. */
interface Box {
  readonly classes: readonly string[];
  readonly children?: readonly Box[];
  readonly height: number;
  readonly depth: number;
  readonly style?: { readonly marginTop?: string };
}

function heightOf(source: string): number | undefined {
  if (source.length > maxSourceCharacters) return undefined;
  let tree: Box;
  try {
    tree = (katex as unknown as Typesetter).__renderToHTMLTree(source, { ...options, displayMode: true });
  } catch {
    return undefined;
  }
  let line = { height: lineHeight, depth: lineDepth };
  let above = 0;
  for (const { classes, height, depth, style } of boxesIn(tree)) {
    if (classes.includes('katex-newline')) {
      above += line.height + line.depth + Number.parseFloat(style?.marginTop ?? '0');
      line = { height: lineHeight, depth: lineDepth };
    } else if (classes.includes('katex-base')) {
      line = { height: Math.max(line.height, height), depth: Math.max(line.depth, depth) };
    }
  }
  return above + line.height + line.depth;
}

interface Typesetter {
  __renderToHTMLTree(source: string, settings: object): Box;
}

function boxesIn(box: Box): readonly Box[] {
  if (box.classes.includes('katex-html')) return box.children ?? [];
  return box.children?.flatMap(boxesIn) ?? [];
}

/** Of a line with nothing high or deep in it: its font's own. */
const lineHeight = 0.8715;
const lineDepth = 0.37;

const options = {
  throwOnError: true,
  trust: false,
  strict: 'ignore',
  maxExpand: 500,
  maxSize: 20,
} as const;

/** A formula longer than a page is none. */
const maxSourceCharacters = 6000;
