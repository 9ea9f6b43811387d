import type { Catalogue } from '#vocabulary/catalogue';

/** The pool of each model. Two models are in one pool when they share an engine, or each shares one with a third. */
export function poolsOf({ models }: Pick<Catalogue, 'models'>): Map<string, string> {
  const leaders = new Map<string, string>();
  for (const { replicas } of models) {
    const [first, ...others] = replicas;
    if (first === undefined) continue;
    for (const { engineName } of others) leaders.set(leaderOf(engineName), leaderOf(first.engineName));
  }
  return new Map(models.map(({ id, replicas }) => [id, leaderOf(replicas[0]?.engineName ?? id)]));

  function leaderOf(engineName: string): string {
    let leader = engineName;
    for (let next = leaders.get(leader); next !== undefined && next !== leader; next = leaders.get(leader))
      leader = next;
    return leader;
  }
}
