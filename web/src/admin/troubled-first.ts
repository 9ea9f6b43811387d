import type { Health } from '#contract/models';

/** What does not work is what operators come for; the rest stays in its order. */
export function troubledFirst<Watched extends { readonly health: Health }>(
  all: readonly Watched[],
): readonly Watched[] {
  return all.toSorted((left, right) => order.indexOf(left.health) - order.indexOf(right.health));
}

const order: readonly Health[] = ['down', 'degraded', 'starting', 'unknown', 'healthy'];
