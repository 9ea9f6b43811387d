/** Of a thousand blocks or items only the last few are asked whether they have changed: the others by the group. */
export function inGroups<Member>(all: readonly Member[]): Member[][] {
  return Array.from({ length: Math.ceil(all.length / groupSize) }, (_, index) =>
    all.slice(index * groupSize, (index + 1) * groupSize),
  );
}

const groupSize = 40;

export function haveSameMembers<Member>(some: readonly Member[], others: readonly Member[]): boolean {
  return some.length === others.length && some.every((member, index) => member === others[index]);
}
