import type { UsageByGroup } from '#contract/usage-administration';
import { daysBetween, type Measure, type UsageDay } from '../../usage/usage-totals.ts';

/** Groups with a colour of their own, as many as the days tell apart; what is smaller is drawn together. */
const largest = 4;

export interface UsageBars {
  readonly days: readonly UsageDay[];
  readonly groups: readonly string[];
}

/** Bars by day of the largest groups, with all others as one. `nameOf` gives a group its name. */
export function usageBars(
  { from, to, groups, days }: UsageByGroup,
  { measure, nameOf, others }: { measure: Measure; nameOf: (group: string) => string; others: string },
): UsageBars {
  const ranked = groups.toSorted((a, b) => amountOf(b, measure) - amountOf(a, measure));
  const leading = ranked.slice(0, largest).map(({ group }) => group);
  const hasOthers = ranked.length > largest;
  const amounts = new Map(
    daysBetween(from, to).map((day) => [day, [...leading, ...(hasOthers ? [''] : [])].map(() => 0)]),
  );
  for (const row of days) {
    const ofDay = amounts.get(row.day);
    const place = row.group === null ? -1 : leading.indexOf(row.group);
    const index = place === -1 ? leading.length : place;
    if (ofDay?.[index] !== undefined) ofDay[index] += row[measure];
  }
  return {
    groups: [...leading.map(nameOf), ...(hasOthers ? [others] : [])],
    days: [...amounts].map(([day, ofDay]) => ({
      day,
      amounts: ofDay,
      total: ofDay.reduce((sum, amount) => sum + amount, 0),
    })),
  };
}

function amountOf(group: UsageByGroup['groups'][number], measure: Measure): number {
  return measure === 'requests' ? group.requests : group.inputTokens + group.outputTokens;
}
