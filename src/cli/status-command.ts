import { statfsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Settings } from '#settings';
import {
  addAmounts,
  firstTokenQuantileMs,
  noAmounts,
  type ServiceAmounts,
  type ServiceStretch,
} from '#vocabulary/service-history';
import type { LastBackup } from '#vocabulary/service-notes';
import type { Command } from './command.ts';
import type { RunningService } from './doctor/find-service.ts';
import { bytesInWords } from './models/in-words.ts';
import { type Books, withBooks } from './open-books.ts';
import { type Column, formatTable } from './table.ts';

const usage = `Usage: gatehouse status [--json] [--settings FILE]

Says how the service is doing: what runs and waits now, how each model did in the last day and
month, the disk and the last backup. The web has the same, with charts: Administration, Overview.
Exit status 1 when nothing answers where the settings say, or a service of another data folder does.

  --json           print it for a program
  --settings FILE  read this file instead of gatehouse.yaml`;

export const statusCommand: Command = {
  name: 'status',
  summary: 'Say how the service is doing, now and lately',
  usage,
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean', default: false }, settings: { type: 'string' } },
    });
    return withBooks(values.settings, async (books) => {
      const report = await readReport(books);
      process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : inWords(report));
      return report.service === undefined ? 1 : 0;
    });
  },
};

interface ModelReport {
  readonly model: string;
  readonly day: PeriodReport;
  readonly month: PeriodReport;
}

interface PeriodReport {
  readonly requests: number;
  readonly failures: number;
  readonly outputTokens: number;
  /** Of the time in which somebody looked; undefined when nobody did. */
  readonly upPart: number | undefined;
  readonly firstTokenMs: number | undefined;
}

type Report = Awaited<ReturnType<typeof readReport>>;

async function readReport({ settings, storage }: Books) {
  const { findService } = await import('./doctor/find-service.ts');
  const now = Date.now();
  const [service, hours, days, backup, { projects }] = await Promise.all([
    findService(settings),
    storage.serviceHistory.read('hour', now - 86_400_000),
    storage.serviceHistory.read('day', now - 30 * 86_400_000),
    storage.serviceNotes.read('last-backup'),
    storage.projects.readAll(),
  ]);
  const projectIds = [
    'everyone',
    ...settings.projects.projects.map(({ id }) => id),
    ...projects.map(({ id }) => id),
  ];
  const { bavail, bsize } = statfsSync(settings.dataDir);
  return {
    service: service?.isOurs === true ? describeService(service, settings, new Set(projectIds)) : undefined,
    /** Where a Gatehouse answers that serves from another data folder. */
    strangerUrl: service?.isOurs === false ? service.url : undefined,
    models: settings.catalogue.models.map(({ id }): ModelReport => ({
      model: id,
      day: addUp(hours, id),
      month: addUp(days, id),
    })),
    freeBytes: bavail * bsize,
    backup: backup === undefined ? undefined : (JSON.parse(backup) as LastBackup),
  };
}

function describeService(
  { url, version, isReady, obstacles, metrics }: RunningService,
  { catalogue }: Settings,
  projectIds: ReadonlySet<string>,
) {
  return {
    url,
    version,
    isReady,
    obstacles,
    inFlight: metrics?.sum('gatehouse_requests_in_flight'),
    waiting: metrics?.sum('gatehouse_requests_waiting'),
    waitingByProject: [...projectIds].flatMap((project) => {
      const waiting = metrics?.labelled('gatehouse_requests_waiting_by_project', 'project', project) ?? 0;
      return waiting === 0 ? [] : { project, waiting };
    }),
    engines: catalogue.engines.map(({ name, maxConcurrent }) => ({
      name,
      isHealthy: metrics?.labelled('gatehouse_engine_healthy', 'engine', name) === 1,
      inFlight: metrics?.labelled('gatehouse_engine_outstanding', 'engine', name),
      maxConcurrent,
    })),
  };
}

function addUp(stretches: readonly ServiceStretch[], model: string): PeriodReport {
  const sum = stretches
    .filter((stretch) => stretch.model === model)
    .reduce<ServiceAmounts>(addAmounts, noAmounts);
  return {
    requests: sum.requests,
    failures: sum.failures,
    outputTokens: sum.outputTokens,
    upPart: sum.secondsSeen === 0 ? undefined : sum.secondsUp / sum.secondsSeen,
    firstTokenMs: firstTokenQuantileMs(sum.firstTokens, 0.5),
  };
}

function inWords({ service, strangerUrl, models, freeBytes, backup }: Report): string {
  const missing =
    strangerUrl === undefined
      ? 'Nothing answers where the settings say.\n'
      : `The Gatehouse at ${strangerUrl} serves from another data folder than these settings name.\n`;
  const backupWords =
    backup === undefined
      ? 'No backup was made yet.'
      : `Last backup ${new Date(backup.madeAt).toISOString()}, ${bytesInWords(backup.bytes)}.`;
  return [
    service === undefined ? missing : serviceInWords(service),
    formatTable(modelColumns, models),
    `${bytesInWords(freeBytes)} are free on the disk. ${backupWords}\n`,
  ].join('\n');
}

function serviceInWords(service: NonNullable<Report['service']>): string {
  const {
    version,
    url,
    isReady,
    obstacles,
    inFlight = '?',
    waiting = '?',
    waitingByProject,
    engines,
  } = service;
  const line = waitingByProject.map(({ project, waiting: count }) => `${count} of ${project}`).join(', ');
  return [
    `Gatehouse ${version} at ${url} is ${isReady ? 'ready' : ['not ready', ...obstacles].join(': ')}. ${inFlight} running, ${waiting} waiting${line === '' ? '' : ` (${line})`}.\n`,
    formatTable(engineColumns, engines),
  ].join('\n');
}

const engineColumns: readonly Column<NonNullable<Report['service']>['engines'][number]>[] = [
  { title: 'ENGINE', cell: ({ name }) => name },
  { title: 'STATE', cell: ({ isHealthy }) => (isHealthy ? 'in service' : 'put aside') },
  { title: 'IN FLIGHT', align: 'right', cell: ({ inFlight }) => String(inFlight ?? '?') },
  { title: 'PLACES', align: 'right', cell: ({ maxConcurrent }) => String(maxConcurrent) },
];

const modelColumns: readonly Column<ModelReport>[] = [
  { title: 'MODEL', cell: ({ model }) => model },
  { title: 'UP 24H', align: 'right', cell: ({ day }) => percent(day.upPart) },
  { title: 'REQUESTS', align: 'right', cell: ({ day }) => String(day.requests) },
  { title: 'FAILED', align: 'right', cell: ({ day }) => String(day.failures) },
  { title: 'FIRST TOKEN', align: 'right', cell: ({ day }) => milliseconds(day.firstTokenMs) },
  { title: 'UP 30D', align: 'right', cell: ({ month }) => percent(month.upPart) },
  { title: 'REQUESTS', align: 'right', cell: ({ month }) => String(month.requests) },
];

function percent(part: number | undefined): string {
  return part === undefined ? '-' : `${(Math.floor(part * 10_000) / 100).toFixed(2)} %`;
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? '-' : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
