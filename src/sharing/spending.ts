import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { Spending, UsageStore } from '#vocabulary/stores';
import { startOf } from './budget.ts';
import type { LimitKeeper } from './limit-keeper.ts';

/** Brings what the books say into the budgets: at the start, and when somebody gets a budget. Never rejects. */
export async function loadSpending(parts: {
  readonly usage: Pick<UsageStore, 'readSpending'>;
  readonly begin: LimitKeeper['begin'];
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<void> {
  const { usage, begin, clock, logger } = parts;
  const wallMs = clock.wallMs();
  try {
    const rows = await usage.readSpending(startOf('day', wallMs), startOf('month', wallMs));
    const sums = new Map<string, { day: number; month: number; total: number }>();
    for (const row of rows)
      for (const subject of subjectsOf(row)) {
        const sum = sums.get(subject) ?? { day: 0, month: 0, total: 0 };
        sums.set(subject, {
          day: sum.day + row.day,
          month: sum.month + row.month,
          total: sum.total + row.total,
        });
      }
    for (const [subject, spent] of sums) begin(subject, spent);
  } catch (error) {
    logger.error({ error }, 'what was spent of budgets cannot be read; they count from now on');
  }
}

/** The same names that the directory gives the subjects of limits. */
function subjectsOf({ project, personId, keyId, address }: Spending): string[] {
  const memberId = personId === null ? `address:${address ?? ''}` : `person:${personId}`;
  return [
    ...(keyId === null ? [] : [`key:${keyId}`]),
    `person:${personId ?? memberId}`,
    ...(project === null ? [] : [`project:${project}`, `member:${project}:${memberId}`]),
  ];
}
