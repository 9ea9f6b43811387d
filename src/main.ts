/** Starts, drains and stops. `npm start` runs this file. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadedSettings, loadSettings, SettingsMistakes, watchSettings } from '#settings';
import { createLogger } from '#telemetry';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { enginesLoaded, welcome } from './banner.ts';
import { composeGatehouse, type Gatehouse } from './compose.ts';
import { programVersion } from './program-version.ts';

export async function startGatehouse(): Promise<void> {
  const load = () => loadSettings({ environment: process.env, workingDirectory: process.cwd() });
  const loaded = load();
  const { log: logger, flush } = createLogger(loaded.settings.log);
  const { gatehouse, url, metricsUrl } = await begin(loaded, logger).finally(flush);
  watchSettings({ started: loaded, load, onChange: (settings) => gatehouse.reload(settings), log: logger });

  let stoppingSinceMs: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs < sameSignalMs) return;
      logger.warn({ signal }, 'second signal: ending at once');
      flush();
      process.exit(1);
    }
    stoppingSinceMs = performance.now();
    logger.info({ signal }, 'draining: running answers may finish, new requests are refused');
    void gatehouse
      .drain()
      .then(() => gatehouse.stop())
      .then(({ lostUsage }) => {
        if (lostUsage > 0)
          logger.error({ lostUsage }, 'stopped, and usage was lost: the disk did not take it');
        else logger.info({}, 'stopped');
        flush();
        process.exit(lostUsage > 0 ? 1 : 0);
      });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  announceReady(url, metricsUrl);
}

interface Begun {
  readonly gatehouse: Gatehouse;
  readonly url: string;
  readonly metricsUrl: string;
}

/** A start that fails ends whatever it began. A process that neither serves nor ends is restarted by nobody. */
async function begin(loaded: LoadedSettings, logger: Logger): Promise<Begun> {
  let gatehouse: Gatehouse | undefined;
  try {
    gatehouse = await composeGatehouse(loaded, logger);
    const { url, metricsUrl } = await gatehouse.start();
    const signInLink = await gatehouse.firstSignIn();
    logger.info({ url, processId: process.pid }, 'listening');
    welcomePeople(gatehouse, loaded, url, signInLink);
    return { gatehouse, url, metricsUrl };
  } catch (problem) {
    process.exitCode = 1;
    const ended = gatehouse
      ?.stop()
      .catch((error: unknown) => logger.error({ error }, 'could not end in good order'));
    await Promise.race([ended, sleep(endAnywayMs, undefined, { ref: false })]);
    setTimeout(() => process.exit(), farewellMs).unref();
    throw problem;
  }
}

function welcomePeople(
  gatehouse: Gatehouse,
  { settings: { publicUrl, catalogue } }: LoadedSettings,
  url: string,
  signInLink: string | undefined,
): void {
  process.stderr.write(welcome({ version: programVersion(), url: publicUrl ?? url, signInLink, catalogue }));
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
