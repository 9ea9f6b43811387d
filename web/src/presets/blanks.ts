/** A blank to fill in: `{language}`. */
const blank = /\{[^{}\n]{1,60}\}/g;

export interface Span {
  readonly from: number;
  readonly to: number;
}

export function countBlanks(text: string): number {
  return text.match(blank)?.length ?? 0;
}

/** The next blank behind the caret, or before it; round the end. Undefined when there is no other than the selected one. */
export function nextBlank(text: string, selected: Span, isBackwards = false): Span | undefined {
  const all = [...text.matchAll(blank)].map(({ 0: found, index }) => ({
    from: index,
    to: index + found.length,
  }));
  const others = all.filter(({ from, to }) => from !== selected.from || to !== selected.to);
  const ahead = isBackwards
    ? others.findLast(({ to }) => to <= selected.from)
    : others.find(({ from }) => from >= selected.to);
  return ahead ?? others.at(isBackwards ? -1 : 0);
}
