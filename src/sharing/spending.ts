import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { Spending, UsageStore } from '#vocabulary/stores';
import { startOf } from './budget.ts';
import { type LimitKeeper, meterName } from './limit-keeper.ts';

/** Brings what the books say into the budgets: at the start, and when somebody gets a budget. Never rejects. */
export async function loadSpending(parts: {
  readonly usage: Pick<UsageStore, 'readSpending'>;
  /** Those for which somebody has limits of their own. */
  readonly limitedModels: ReadonlySet<string>;
  readonly begin: LimitKeeper['begin'];
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<void> {
  const { usage, limitedModels, begin, clock, logger } = parts;
  const wallMs = clock.wallMs();
  try {
    const rows = await usage.readSpending(startOf('day', wallMs), startOf('month', wallMs));
    // At midnight they would be the sums of a day that is over.
    if (startOf('day', clock.wallMs()) > startOf('day', wallMs)) return await loadSpending(parts);
    const sums = new Map<string, { day: number; month: number; total: number }>();
    for (const row of rows)
      for (const subject of metersOf(row, limitedModels)) {
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

/** Each subject for all models together, and for the model where that is limited too. */
function metersOf(row: Spending, limitedModels: ReadonlySet<string>): string[] {
  const subjects = subjectsOf(row);
  if (!limitedModels.has(row.model)) return subjects;
  return [...subjects, ...subjects.map((subject) => meterName(subject, row.model))];
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
