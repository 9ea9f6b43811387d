import type { HighlightNode } from './highlighter.ts';

/** Code cut behind every `plateLines`-th line; the first plate has `linesBefore` already. Never without a plate. */
export function cutIntoPlates(nodes: readonly HighlightNode[], linesBefore = 0): HighlightNode[][] {
  let lines = linesBefore;
  return cut(nodes);

  function cut(pieces: readonly HighlightNode[]): HighlightNode[][] {
    let plate: HighlightNode[] = [];
    const plates = [plate];
    for (const piece of pieces) {
      const parts =
        typeof piece === 'string'
          ? cutText(piece)
          : cut(piece.children).map((children) => ({ className: piece.className, children }));
      for (const [index, part] of parts.entries()) {
        if (index > 0) plates.push((plate = []));
        plate.push(part);
      }
    }
    return plates;
  }

  function cutText(text: string): string[] {
    const parts: string[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      lines += 1;
      if (lines % plateLines !== 0) continue;
      parts.push(text.slice(from, end + 1));
      from = end + 1;
    }
    return [...parts, text.slice(from)];
  }
}

const plateLines = 40;

/** How many lines end in them. */
export function lineCount(nodes: readonly HighlightNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (typeof node === 'string' ? node.split('\n').length - 1 : lineCount(node.children)),
    0,
  );
}

/** The same plates, those that say what they said before being the very same: they are not drawn again. */
export function keepPlates(
  before: readonly HighlightNode[][],
  after: readonly HighlightNode[][],
): HighlightNode[][] {
  return after.map((plate, index) => {
    const known = before[index];
    return known !== undefined && areSame(known, plate) ? known : plate;
  });
}

function areSame(some: readonly HighlightNode[], others: readonly HighlightNode[]): boolean {
  return some.length === others.length && some.every((node, index) => isSame(node, others[index]));
}

function isSame(one: HighlightNode, other: HighlightNode | undefined): boolean {
  if (typeof one === 'string' || typeof other !== 'object') return one === other;
  return one.className === other.className && areSame(one.children, other.children);
}
