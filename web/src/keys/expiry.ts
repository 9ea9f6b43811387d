/** How long a key may live, in days; null means for ever and is offered only where the operator allows it. */
export function expiryChoices(maxLifetimeDays: number | null): readonly (number | null)[] {
  if (maxLifetimeDays === null) return [...usualDays, null];
  const allowed = usualDays.filter((days) => days < maxLifetimeDays);
  return [...allowed, maxLifetimeDays];
}

export function expiryMoment(days: number | null, now: number): number | null {
  return days === null ? null : now + days * 86_400_000;
}

const usualDays: readonly number[] = [7, 30, 90, 365];
