import { useQuery } from '@tanstack/react-query';
import type { GroupUsage, UsageByGroup, UsageGroupingName } from '#contract/usage-administration';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { useLanguageTag } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { everyone } from '../../standing/everyone.ts';
import { UsageChart } from '../../usage/usage-chart.tsx';
import { tokensOf, type Measure } from '../../usage/usage-totals.ts';
import { usageBars } from './usage-bars.ts';

interface GroupedUsageProps {
  readonly report: UsageByGroup;
  readonly by: UsageGroupingName;
  readonly measure: Measure;
}

/** Bars by day, and the figures of every group. */
export function GroupedUsage({ report, by, measure }: GroupedUsageProps) {
  const words = usePagesWords();
  const { usage } = useManageWords();
  const nameOf = useGroupNames(report, by);
  if (report.groups.length === 0)
    return (
      <p className="rounded-xl border border-dashed border-edge px-6 py-8 text-ink-soft">{usage.empty}</p>
    );
  // Of days there is one group: the day itself.
  const drawn: UsageByGroup = by === 'day' ? asOneGroup(report) : report;
  const bars = usageBars(drawn, {
    measure,
    nameOf: by === 'day' ? () => usage.sum : nameOf,
    others: usage.others,
  });
  return (
    <>
      <UsageChart {...bars} measureName={measure === 'tokens' ? words.usage.tokens : words.usage.requests} />
      <FigureTable report={report} by={by} nameOf={nameOf} />
    </>
  );
}

function asOneGroup(report: UsageByGroup): UsageByGroup {
  const [first] = report.groups;
  return {
    ...report,
    groups: first === undefined ? [] : [{ ...first, group: '' }],
    others: null,
    days: report.days.map((row) => ({ ...row, group: '' })),
  };
}

function useGroupNames(report: UsageByGroup, by: UsageGroupingName): (group: string) => string {
  const words = usePagesWords();
  const { usage } = useManageWords();
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.projects,
    queryFn: () => client.call('GET /console/administration/projects', {}),
    // Only administrators see more than one project together.
    enabled: by === 'project',
  });
  const projectNames = new Map(data?.projects.map(({ id, name }) => [id, name]));
  const labels = new Map(report.groups.map(({ group, label }) => [group, label]));
  return (group) => {
    if (group === '') return usage.noneOf[by];
    if (by === 'project') return group === everyone ? usage.everyone : (projectNames.get(group) ?? group);
    if (by === 'door') return words.usage.doors[group as keyof typeof words.usage.doors] ?? group;
    return labels.get(group) ?? group;
  };
}

type Amounts = Omit<GroupUsage, 'group' | 'label'>;

interface FigureTableProps {
  readonly report: UsageByGroup;
  readonly by: UsageGroupingName;
  readonly nameOf: (group: string) => string;
}

function FigureTable({ report, by, nameOf }: FigureTableProps) {
  const words = usePagesWords();
  const { usage } = useManageWords();
  const numbers = new Intl.NumberFormat(useLanguageTag());
  const columns: [string, (amounts: Amounts) => number][] = [
    [words.usage.requests, (group) => group.requests],
    [usage.unfinished, (group) => group.unfinishedRequests],
    [words.usage.input, (group) => group.inputTokens],
    [words.usage.cached, (group) => group.cachedTokens],
    [words.usage.output, (group) => group.outputTokens],
    [usage.reasoning, (group) => group.reasoningTokens],
    [usage.estimated, (group) => group.estimatedTokens],
    [words.usage.total, tokensOf],
  ];
  const { groups, others } = report;
  const all: readonly Amounts[] = others === null ? groups : [...groups, others];
  const hasEstimates = all.some(({ estimatedTokens }) => estimatedTokens > 0);
  return (
    <>
      <div className="mt-8 overflow-x-auto" tabIndex={0} role="region" aria-label={words.usage.table}>
        <table className="table-plain">
          <thead>
            <tr>
              <th scope="col">{usage.by[by]}</th>
              {columns.map(([name]) => (
                <th key={name} scope="col" className="text-end!">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.group}>
                <th scope="row" className="py-2! text-[0.9375rem]! text-ink!">
                  {nameOf(group.group)}
                </th>
                {columns.map(([name, read]) => (
                  <td key={name} className="text-end">
                    {numbers.format(read(group))}
                  </td>
                ))}
              </tr>
            ))}
            {others !== null && (
              <tr>
                <th scope="row" className="py-2! text-[0.9375rem]! font-normal! text-ink-soft!">
                  {usage.others} ({numbers.format(others.groups)})
                </th>
                {columns.map(([name, read]) => (
                  <td key={name} className="text-end text-ink-soft">
                    {numbers.format(read(others))}
                  </td>
                ))}
              </tr>
            )}
          </tbody>
          {all.length > 1 && (
            <tfoot>
              <tr>
                <th scope="row" className="border-0! py-2! text-[0.9375rem]! font-[650]! text-ink!">
                  {usage.sum}
                </th>
                {columns.map(([name, read]) => (
                  <td key={name} className="border-0! text-end font-[650]">
                    {numbers.format(all.reduce((sum, amounts) => sum + read(amounts), 0))}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {hasEstimates && <p className="mt-3 text-sm text-ink-soft">{usage.estimatedNote}</p>}
    </>
  );
}
