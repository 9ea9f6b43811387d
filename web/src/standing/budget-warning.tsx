import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Conversation } from '../chat/conversation.ts';
import { queryKeys } from '../client/query-keys.ts';
import { shareOf } from '../design/share-of.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Moment } from '../design/moment.tsx';
import { classes } from '../design/classes.ts';
import { usePagesWords } from '../language/pages-words.ts';
import { useSpaceOf } from '../spaces/use-spaces.ts';
import { budgetAlarm, isSilenced, silence, type BudgetAlarm } from './budget-alarm.ts';
import { type OwnStanding, useStanding } from './use-standing.ts';

interface BudgetWarningProps {
  readonly model: string;
  readonly conversation: Conversation;
}

/** A quiet line above the composer, once at 80 % and once at 100 %. */
export function BudgetWarning({ model, conversation }: BudgetWarningProps) {
  const words = usePagesWords().standing;
  const queries = useQueryClient();
  const { data } = useStanding();
  const space = useSpaceOf(conversation);
  // The answer that is being written or was written last: after each one the budget is looked at again.
  const answerId = `${conversation.path.at(-1)?.id ?? ''} ${conversation.running === undefined ? 'over' : 'running'}`;
  useEffect(() => void queries.invalidateQueries({ queryKey: queryKeys.standing }), [queries, answerId]);
  const [, drawAgain] = useState(0);
  const alarm = data === undefined ? undefined : budgetAlarm(data, model, space?.projectId);
  if (data === undefined || alarm === undefined || isSilenced(alarm)) return null;
  const { budget, threshold } = alarm;
  const isOver = threshold === 100;
  return (
    <div
      className={classes(
        'mb-2 flex items-center gap-3 rounded-lg py-1 ps-4 pe-1.5 text-[0.9375rem]',
        isOver ? 'bg-danger-wash text-danger' : 'bg-wait-wash text-wait',
      )}
    >
      <p role="status" className="min-w-0 flex-1">
        {sentenceOf(alarm, data, words.warning)}{' '}
        <span className="text-ink-soft">
          {budget.renewsAt === null ? (
            `${capitalised(words.renewsNever)}.`
          ) : (
            <>
              {capitalised(words.renews)} <Moment at={budget.renewsAt} />.
            </>
          )}
        </span>{' '}
        <Link href="/usage" className="underline underline-offset-3">
          {words.warning.see}
        </Link>
      </p>
      <IconButton
        icon="close"
        size="small"
        label={words.warning.dismiss}
        onClick={() => {
          silence(alarm);
          drawAgain((count) => count + 1);
        }}
      />
    </div>
  );
}

function sentenceOf(
  { budget, threshold }: BudgetAlarm,
  { projects }: OwnStanding,
  words: ReturnType<typeof usePagesWords>['standing']['warning'],
): string {
  const percent = Math.floor(shareOf(budget.used, budget.amount) * 100);
  const limit = words.budgets[budget.limit];
  const project = projects.find(({ id }) => id === budget.projectId)?.name;
  if (budget.scope !== 'project' || project === undefined)
    return threshold === 100 ? words.over(limit) : words.nearly(percent, limit);
  return threshold === 100
    ? words.overOfProject(limit, project)
    : words.nearlyOfProject(percent, limit, project);
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
