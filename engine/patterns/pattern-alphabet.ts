import type { CodePointRange, CodePointSet } from './code-points.ts';

/** The characters of a pattern in classes: two of one class are in the same sets, so the pattern never tells them apart. */
export interface PatternAlphabet {
  /** Per class, sorted. */
  readonly ranges: readonly CodePointSet[];
  /** The classes that a set is made of. Only for sets it was made from. */
  classesOf(set: CodePointSet): readonly number[];
}

/** Takes its steps from `spend`. */
export function alphabetOf(
  sets: ReadonlySet<CodePointSet>,
  spend: (amount: number) => void,
): PatternAlphabet {
  const cuts = new Set<number>();
  for (const set of sets) for (const [from, to] of set) cuts.add(from).add(to + 1);
  const borders = [...cuts].sort((one, other) => one - other);
  const indexOf = new Map(borders.map((border, index) => [border, index]));
  const memberships: number[][] = borders.map(() => []);
  for (const [number, set] of [...sets].entries())
    for (const [from, to] of set) {
      const [first = 0, end = 0] = [indexOf.get(from), indexOf.get(to + 1)];
      spend(end - first);
      for (let index = first; index < end; index += 1) memberships[index]?.push(number);
    }
  const classes = new Map<string, number>();
  const ranges: CodePointRange[][] = [];
  const bySet: Set<number>[] = Array.from(sets, () => new Set());
  for (const [index, members] of memberships.entries()) {
    if (members.length === 0) continue;
    const key = members.join(',');
    const known = classes.get(key);
    const number = known ?? ranges.push([]) - 1;
    if (known === undefined) classes.set(key, number);
    ranges[number]?.push([borders[index] ?? 0, (borders[index + 1] ?? 0) - 1]);
    for (const member of members) bySet[member]?.add(number);
  }
  const classesBySet = new Map([...sets].map((set, number) => [set, [...(bySet[number] ?? [])]]));
  return { ranges, classesOf: (set) => classesBySet.get(set) ?? [] };
}
