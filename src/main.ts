/** Starts, drains and stops. `npm start` runs this file. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type LoadedSettings,
  loadSettings,
  SettingsMistakes,
  type SettingsSource,
  type SettingsWatch,
  watchSettings,
} from '#settings';
import { createLogger } from '#telemetry';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { enginesLoaded, welcome } from './banner.ts';
import { composeGatehouse, type Gatehouse } from './composition/compose.ts';
import { type Heritage, heritageOf, startSuccessor } from './handover.ts';
import { isDatabaseLost, patiently } from './patient-start.ts';
import { programVersion } from './program-version.ts';
import { announceToServiceManager } from './service-manager.ts';
import { claimServing, claimStart } from './serving-process.ts';

export async function startGatehouse(): Promise<void> {
  const load = (managedText?: string) =>
    loadSettings({ environment: process.env, workingDirectory: process.cwd(), managedText });
  const heritage = heritageOf();
  const loaded = loadFor(heritage, load);
  const { log: logger, flush } = createLogger(loaded.settings.log);
  let watch: SettingsWatch | undefined;
  const source: SettingsSource = { load, reload: () => watch?.reload() };
  // Whoever is followed serves from the same folder until this process does.
  const start = heritage === undefined ? claimStart(loaded.settings.dataDir) : undefined;
  const { gatehouse, url, metricsUrl } = await begin(loaded, source, logger, heritage).finally(flush);
  const serving = claimServing(loaded.settings.dataDir);
  start?.[Symbol.dispose]();
  watch = watchSettings({
    started: loaded,
    load,
    onChange: (settings) => gatehouse.reload(settings),
    log: logger,
  });
  // What other gateways had added came with the start.
  watch.reload();

  let stoppingSinceMs: number | undefined;
  let isHandingOver = false;
  const toldToStop = Promise.withResolvers<void>();
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs < sameSignalMs) return;
      logger.warn({ signal }, 'second signal: ending at once');
      flush();
      process.exit(1);
    }
    stoppingSinceMs = performance.now();
    logger.info({ signal }, 'draining: running answers may finish, new requests are refused');
    serving.leave();
    heritage?.hurryPredecessor();
    toldToStop.resolve();
    if (!isHandingOver) void end();
  };
  /** Ends this process, when the running answers have ended. */
  const end = async () => {
    await Promise.all([gatehouse.drain(), heritage?.predecessorGone(loaded.settings.drainMs)]);
    const { lostUsage } = await gatehouse.stop();
    if (lostUsage > 0) logger.error({ lostUsage }, 'stopped, and usage was lost: the disk did not take it');
    else logger.info({}, 'stopped');
    flush();
    process.exit(lostUsage > 0 ? 1 : 0);
  };
  const handOver = async () => {
    if (stoppingSinceMs !== undefined || isHandingOver) return;
    isHandingOver = true;
    let processId: number;
    try {
      const ownUrl = await gatehouse.openForSuccessor();
      processId = await startSuccessor(gatehouse.listeners(), gatehouse.engines(), ownUrl);
    } catch (error) {
      isHandingOver = false;
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ error }, 'not handed over: the new process did not start');
      serving.tell({ isDone: false, reason });
      if (stoppingSinceMs !== undefined) await end();
      return;
    }
    serving.tell({ isDone: true, processId, note: 'The old one ends when its answers have.' });
    serving.leave();
    logger.info({ successor: processId }, 'handed over: running answers may finish');
    // Whoever stops the new one stops this one too, which then has the shorter time.
    await Promise.race([gatehouse.handOver(), toldToStop.promise]);
    stoppingSinceMs ??= performance.now();
    await end();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGUSR2', () => void handOver());
  announceReady(url, metricsUrl);
  heritage?.serving();
}

/** Whoever is to be followed hears why it is not. */
function loadFor(heritage: Heritage | undefined, load: () => LoadedSettings): LoadedSettings {
  try {
    return load();
  } catch (problem) {
    heritage?.failed(problem instanceof Error ? problem.message : String(problem));
    throw problem;
  }
}

interface Begun {
  readonly gatehouse: Gatehouse;
  readonly url: string;
  readonly metricsUrl: string;
}

/** A start that fails ends whatever it began. A process that neither serves nor ends is restarted by nobody. */
async function begin(
  loaded: LoadedSettings,
  source: SettingsSource,
  logger: Logger,
  heritage: Heritage | undefined,
): Promise<Begun> {
  let gatehouse: Gatehouse | undefined;
  try {
    gatehouse = await composeGatehouse(loaded, source, logger, heritage);
    const { url, metricsUrl } = await gatehouse.start();
    const begun = gatehouse;
    const signInLink = await patiently(logger, () => begun.firstSignIn());
    logger.info({ url, processId: process.pid }, 'listening');
    welcomePeople(gatehouse, loaded, url, signInLink);
    await announceToServiceManager();
    return { gatehouse, url, metricsUrl };
  } catch (problem) {
    process.exitCode = 1;
    heritage?.failed(problem instanceof Error ? problem.message : String(problem));
    const ended = gatehouse
      ?.stop()
      .catch((error: unknown) => logger.error({ error }, 'could not end in good order'));
    await Promise.race([ended, sleep(endAnywayMs, undefined, { ref: false })]);
    setTimeout(() => process.exit(), farewellMs).unref();
    throw isDatabaseLost(problem) ? new OperatorProblem(databaseLost, problem) : problem;
  }
}

const databaseLost =
  'The database was lost while the service started, which has ended. Start it again when the database answers.';

function welcomePeople(
  gatehouse: Gatehouse,
  { settings: { publicUrl, listen, catalogue } }: LoadedSettings,
  url: string,
  signInLink: string | undefined,
): void {
  const isUrlGuessed = publicUrl === undefined && /^(?:::|0\.0\.0\.0)$/.test(listen.host);
  const address = publicUrl ?? url;
  process.stderr.write(
    welcome({ version: programVersion(), url: address, isUrlGuessed, signInLink, catalogue }),
  );
  void gatehouse.whenWarm().then(() => process.stderr.write(enginesLoaded(gatehouse.engines())));
}

/** How long a failed start may take to end what it began, and how long to say why. Then it ends anyway. */
const endAnywayMs = 5000;
const farewellMs = 500;

/** A supervisor that signals everybody and a launcher that passes signals on tell us the same thing twice. */
const sameSignalMs = 500;

/** For whoever started us and waits: where we are, once we are there and can be stopped again. */
function announceReady(url: string, metricsUrl: string): void {
  const file = process.env['GATEHOUSE_READY_FILE'];
  if (file !== undefined && file !== '')
    writeFileSync(file, JSON.stringify({ url, pid: process.pid, metricsUrl }));
}

if (import.meta.main) {
  try {
    await startGatehouse();
  } catch (problem) {
    const isExplained = problem instanceof SettingsMistakes || problem instanceof OperatorProblem;
    process.stderr.write(
      `${isExplained ? problem.message : problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`,
    );
    // 78 tells a supervisor that only a person can mend this.
    process.exitCode = problem instanceof SettingsMistakes ? 78 : 1;
  }
}
