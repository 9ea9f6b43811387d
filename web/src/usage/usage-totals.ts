import type { UsageReport, UsageRow } from '#contract/usage';

export type Measure = 'tokens' | 'requests';
export type Grouping = 'model' | 'key' | 'door';

export interface UsageGroup {
  readonly name: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/** One bar: a day, and how much each group adds to it, in the order of the groups. */
export interface UsageDay {
  readonly day: string;
  readonly amounts: readonly number[];
  readonly total: number;
}

/** Largest first. `nameOf` gives a row's group its name. */
export function groupUsage(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): UsageGroup[] {
  const groups = new Map<string, UsageGroup>();
  for (const row of rows) {
    const name = nameOf(row);
    const group = groups.get(name) ?? { name, requests: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    groups.set(name, {
      name,
      requests: group.requests + row.requests,
      inputTokens: group.inputTokens + row.inputTokens,
      cachedTokens: group.cachedTokens + row.cachedTokens,
      outputTokens: group.outputTokens + row.outputTokens,
    });
  }
  return [...groups.values()].sort((a, b) => tokensOf(b) - tokensOf(a) || b.requests - a.requests);
}

/** Every day of the report, also those without use. */
export function usageByDay(
  report: UsageReport,
  groups: readonly UsageGroup[],
  nameOf: (row: UsageRow) => string,
  measure: Measure,
): UsageDay[] {
  const indexOf = new Map(groups.map((group, index) => [group.name, index]));
  const days = new Map(daysBetween(report.from, report.to).map((day) => [day, groups.map(() => 0)]));
  for (const row of report.rows) {
    const amounts = days.get(row.day);
    const index = indexOf.get(nameOf(row));
    if (amounts === undefined || index === undefined) continue;
    amounts[index] = (amounts[index] ?? 0) + (measure === 'requests' ? row.requests : tokensOf(row));
  }
  return [...days].map(([day, amounts]) => ({
    day,
    amounts,
    total: amounts.reduce((sum, amount) => sum + amount, 0),
  }));
}

export function tokensOf(amount: { readonly inputTokens: number; readonly outputTokens: number }): number {
  return amount.inputTokens + amount.outputTokens;
}

/** Both included; `YYYY-MM-DD`, UTC. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
