import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { GroupUsage, UsageByGroup, UsageGroupingName } from '#contract/usage-administration';
import { useClient } from '../../client/client-context.tsx';
import { queryKeys } from '../../client/query-keys.ts';
import { useLanguageTag } from '../../language/language.tsx';
import { usePagesWords } from '../../language/pages-words.ts';
import { useManageWords } from '../../language/manage-words.ts';
import { everyone } from '../../standing/everyone.ts';
import { UsageChart } from '../../usage/usage-chart.tsx';
import {
  type UsageColumn,
  UsageTable,
  type UsageTableRow,
  useUsageColumns,
} from '../../usage/usage-table.tsx';
import type { Measure } from '../../usage/usage-totals.ts';
import { usageBars } from './usage-bars.ts';

interface GroupedUsageProps {
  readonly report: UsageByGroup;
  readonly by: UsageGroupingName;
  readonly measure: Measure;
  /** For administrators, who can open what a row stands for. */
  readonly hasLinks?: boolean;
}

/** Bars by day, and the figures of every group. */
export function GroupedUsage({ report, by, measure, hasLinks = false }: GroupedUsageProps) {
  const words = usePagesWords();
  const { usage } = useManageWords();
  const nameOf = useGroupNames(report, by);
  if (nameOf === undefined) return <div className="h-96" aria-hidden="true" />;
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
      <UsageChart {...bars} measureName={words.usage[measure]} />
      <FigureTable report={report} by={by} nameOf={nameOf} hasLinks={hasLinks} />
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

/** Undefined until names are known that are asked for: ids that turn into names make the page jump. */
function useGroupNames(report: UsageByGroup, by: UsageGroupingName): ((group: string) => string) | undefined {
  const words = usePagesWords();
  const { usage } = useManageWords();
  const client = useClient();
  const { data, isLoading } = useQuery({
    queryKey: queryKeys.projects,
    queryFn: () => client.call('GET /console/administration/projects', {}),
    // Only administrators see more than one project together.
    enabled: by === 'project',
  });
  const projectNames = new Map(data?.projects.map(({ id, name }) => [id, name]));
  if (isLoading) return undefined;
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
  readonly hasLinks: boolean;
}

/** Where the page of a row is, by what the rows are. */
const pagesOf: Readonly<Partial<Record<UsageGroupingName, string>>> = {
  project: '/administration/projects/',
  person: '/administration/people/',
};

function FigureTable({ report, by, nameOf, hasLinks }: FigureTableProps) {
  const { usage } = useManageWords();
  const numbers = new Intl.NumberFormat(useLanguageTag());
  const { requests, input, cached, output, total } = useUsageColumns();
  const columns: readonly UsageColumn<Amounts>[] = [
    requests,
    [usage.unfinished, ({ unfinishedRequests }) => unfinishedRequests],
    input,
    cached,
    output,
    [usage.reasoning, ({ reasoningTokens }) => reasoningTokens],
    [usage.estimated, ({ estimatedTokens }) => estimatedTokens],
    total,
  ];
  const { groups, others } = report;
  const rows: UsageTableRow<Amounts>[] = groups.map((figures) => ({
    key: figures.group,
    name: named(figures.group),
    figures,
  }));
  if (others !== null) {
    const name = `${usage.others} (${numbers.format(others.groups)})`;
    rows.push({ key: 'others', name, figures: others, isQuiet: true });
  }
  const hasEstimates = rows.some(({ figures }) => figures.estimatedTokens > 0);
  return (
    <>
      <UsageTable of={usage.by[by]} columns={columns} rows={rows} sum={usage.sum} />
      {hasEstimates && <p className="mt-3 text-sm text-ink-soft">{usage.estimatedNote}</p>}
    </>
  );

  function named(group: string): ReactNode {
    const page = hasLinks && group !== '' ? pagesOf[by] : undefined;
    if (page === undefined) return nameOf(group);
    return (
      <Link href={`${page}${encodeURIComponent(group)}`} className="underline-offset-3 hover:underline">
        {nameOf(group)}
      </Link>
    );
  }
}
