import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { watchProcessTree } from './process-tree.ts';

export interface WatchFigures {
  /** Share of one core. */
  readonly cpuShare: number;
  readonly residentMb: readonly number[];
}

/** Looks at a process once a second until it is told to stop. */
export function watchProcess(processId: number): { stop(): WatchFigures } {
  const tree = watchProcessTree(processId);
  const residentMb: number[] = [];
  const cpuBefore = tree.cpuMs();
  const begun = performance.now();
  const timer = setInterval(() => residentMb.push(residentMbOf(processId)), 1000);
  return {
    stop() {
      clearInterval(timer);
      return { cpuShare: (tree.cpuMs() - cpuBefore) / (performance.now() - begun), residentMb };
    },
  };
}

export function residentMbOf(processId: number): number {
  return watchProcessTree(processId).residentBytes() / 2 ** 20;
}

export function openFilesOf(processId: number): number {
  return readdirSync(`/proc/${processId}/fd`).length;
}

export interface GatewayCounts {
  readonly inFlight: number;
  readonly waiting: number;
  readonly outstandingAtEngines: number;
  readonly callersConnections: number;
  /** Usage records that are not in the database yet. */
  readonly unappliedBytes: number;
}

export async function gatewayCounts(origin: string): Promise<GatewayCounts> {
  const answer = await fetch(`${origin}/metrics`, { headers: { connection: 'close' } });
  const text = await answer.text();
  const sum = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(name) && /[ {]/.test(line.charAt(name.length)))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  return {
    inFlight: sum('gatehouse_requests_in_flight'),
    waiting: sum('gatehouse_requests_waiting'),
    outstandingAtEngines: sum('gatehouse_engine_outstanding'),
    // Without the one that asks.
    callersConnections: sum('gatehouse_connections_open') - 1,
    unappliedBytes: sum('gatehouse_journal_unapplied_bytes'),
  };
}

/** The number of usage records by ending; each has an id of its own, so none counts twice. */
export function usageRecords(dataDir: string): Map<string, number> {
  using database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  const rows = database
    .prepare('select ending, count(*) as records from usage_records group by ending')
    .all();
  return new Map(rows.map(({ ending, records }) => [String(ending), Number(records)]));
}
