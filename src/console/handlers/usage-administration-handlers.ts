import type { UsageByGroup, usageAdministrationRoutes } from '#contract/usage-administration';
import type { UsageGrouping, UsageReportRow } from '#vocabulary/stores';
import { actorOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { readPeriod } from '../usage-period.ts';
import { writeCsv } from '../write-csv.ts';

/** A page shows no more; the rest is one row. */
const shownGroups = 200;
/** Of so many the page draws bars of their own, by tokens or by requests. */
const drawnGroups = 4;

interface Wanted {
  readonly by: UsageGrouping;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly projectId?: string | undefined;
  readonly personId?: string | undefined;
}

/** What everybody used, in the figures of the command line. */
export function createUsageAdministrationHandlers({
  usage,
  projectDesk,
  clock,
}: ConsoleParts): HandlersOf<typeof usageAdministrationRoutes> {
  return {
    'GET /console/administration/usage': async ({ query }) => report(query),

    'GET /console/administration/usage.csv': async ({ query }) => {
      const { from, to, since, until } = readPeriod(query, clock.wallMs());
      const rows = await usage.report({ ...filtersOf(query), since, until });
      return {
        fileName: `usage-by-${query.by}-${from}-${to}.csv`,
        contentType: 'text/csv; charset=utf-8',
        content: writeCsv([
          [query.by, 'label', ...measures],
          ...rows.map((row) => [row.group, row.label, ...measures.map((measure) => row[measure])]),
        ]),
      };
    },

    'GET /console/projects/:projectId/usage': async ({ session, device, parameters, query }) => {
      const { projectId } = parameters;
      const isAdministrator = session.person.role === 'administrator';
      projectDesk.requireLead({ by: actorOf(session, device), isAdministrator }, projectId);
      return report({ ...query, projectId });
    },
  };

  async function report(wanted: Wanted): Promise<UsageByGroup> {
    const { from, to, since, until } = readPeriod(wanted, clock.wallMs());
    const query = { ...filtersOf(wanted), since, until };
    if (query.by === 'day') {
      const [groups, days] = await Promise.all([usage.report(query), usage.reportDays(query)]);
      return { from, to, groups, others: null, days };
    }
    const { groups, others } = await usage.reportLargest(query, shownGroups);
    const drawn = drawnOf(groups);
    const areAllDrawn = others === undefined && drawn.length === groups.length;
    const days = await usage.reportDays(query, areAllDrawn ? undefined : drawn);
    return { from, to, groups, others: others ?? null, days };
  }
}

function drawnOf(groups: readonly UsageReportRow[]): readonly string[] {
  const busiest = groups.toSorted((one, other) => other.requests - one.requests);
  const drawn = [...groups.slice(0, drawnGroups), ...busiest.slice(0, drawnGroups)];
  return [...new Set(drawn.map(({ group }) => group))];
}

function filtersOf({ by, projectId, personId }: Wanted) {
  return { by, project: projectId, personId };
}

/** In the order of the command's table. */
const measures = [
  'requests',
  'unfinishedRequests',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'reasoningTokens',
  'estimatedTokens',
] as const satisfies readonly (keyof UsageReportRow)[];
