/**
 * Of a thousand blocks or items only the last few are asked whether they have changed: the others by the group. A
 * group goes on behind its size until one comes that it may end with.
 */
export function inGroups<Member>(
  all: readonly Member[],
  size: number,
  mayEnd: (member: Member) => boolean = () => true,
): Member[][] {
  const groups: Member[][] = [];
  let group: Member[] = [];
  for (const member of all) {
    if (group.length === 0) groups.push(group);
    group.push(member);
    if (group.length >= size && mayEnd(member)) group = [];
  }
  return groups;
}

export function haveSameMembers<Member>(some: readonly Member[], others: readonly Member[]): boolean {
  return some.length === others.length && some.every((member, index) => member === others[index]);
}
