/** Sets of Unicode scalar values as sorted, disjoint ranges, both ends included. Surrogates are in none of them. */
export type CodePointRange = readonly [from: number, to: number];
export type CodePointSet = readonly CodePointRange[];

export const anyCodePoint: CodePointSet = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

export const digits: CodePointSet = [[0x30, 0x39]];

export const wordCharacters: CodePointSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];

/** What `\s` means in ECMAScript: white space and line terminators. */
export const spaces: CodePointSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

export const lineTerminators: CodePointSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

export function union(ranges: readonly CodePointRange[]): CodePointSet {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged.flatMap(([from, to]) => withoutSurrogates(from, to));
}

export function complement(set: CodePointSet): CodePointSet {
  const rest: CodePointRange[] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= 0x10ffff) rest.push([next, 0x10ffff]);
  return union(rest);
}

function withoutSurrogates(from: number, to: number): CodePointRange[] {
  const parts: CodePointRange[] = [];
  if (from < 0xd800) parts.push([from, Math.min(to, 0xd7ff)]);
  if (to > 0xdfff) parts.push([Math.max(from, 0xe000), to]);
  return parts;
}
