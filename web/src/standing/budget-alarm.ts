import type { ProjectStanding } from '#contract/projects';
import { shareOf } from '../design/share-of.ts';
import type { OwnStanding } from './use-standing.ts';

export type Threshold = 80 | 100;

export interface BudgetAlarm {
  readonly budget: ProjectStanding & { readonly limit: BudgetName };
  readonly threshold: Threshold;
  /** The same until the budget renews. */
  readonly name: string;
}

export type BudgetName = 'costPerDay' | 'costPerMonth' | 'costInTotal';

/** The budget that a question to this model would hurt first, once it is nearly or wholly used. */
export function budgetAlarm(
  own: OwnStanding,
  model: string,
  /** The project whose space the chat is in. */
  inside?: string,
): BudgetAlarm | undefined {
  const project = own.projects.find(({ id, models }) =>
    inside === undefined ? models.length === 0 || models.includes(model) : id === inside,
  );
  return own.standing
    .flatMap((line) => {
      if (!isBudget(line) || line.scope === 'key') return [];
      if (line.projectId !== null && line.projectId !== project?.id) return [];
      if (line.modelId !== null && line.modelId !== model) return [];
      const share = shareOf(line.used, line.amount);
      return share < 0.8 ? [] : [{ line, share }];
    })
    .sort((a, b) => b.share - a.share)
    .map(({ line, share }) => ({
      budget: line,
      threshold: share < 1 ? (80 as const) : (100 as const),
      name: [line.scope, line.projectId, line.modelId, line.limit, line.renewsAt].join(' '),
    }))[0];
}

function isBudget(line: ProjectStanding): line is BudgetAlarm['budget'] {
  return line.limit.startsWith('cost');
}

/** What somebody has been told and does not want to hear again, in this browser. The oldest are forgotten. */
export function isSilenced({ name, threshold }: BudgetAlarm): boolean {
  return readSilenced().some(([known, upTo]) => known === name && upTo >= threshold);
}

export function silence({ name, threshold }: BudgetAlarm): void {
  const others = readSilenced().filter(([known]) => known !== name);
  try {
    localStorage.setItem(storeName, JSON.stringify([...others, [name, threshold]].slice(-maxSilenced)));
  } catch {
    // A full store: it is told once more.
  }
}

const storeName = 'gatehouse.silenced-budgets';
const maxSilenced = 30;

function readSilenced(): readonly (readonly [string, number])[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storeName) ?? '[]');
    return Array.isArray(read) ? (read as [string, number][]) : [];
  } catch {
    return [];
  }
}
