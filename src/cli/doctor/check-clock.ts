import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Check, ok, problem, warning } from './finding.ts';

const about = 'clock';
const wrongMs = 60_000;
const doubtfulMs = 5_000;

/** Certificates, sign-in, the expiry of keys and the days of the books all depend on it. */
export const checkClock: Check = ({ loaded, timesHeard }) => {
  const now = Date.now();
  const newest = newestFile([
    fileURLToPath(new URL('../../../package.json', import.meta.url)),
    join(loaded.settings.dataDir, 'gatehouse.db'),
    join(loaded.settings.dataDir, 'gatehouse.db-wal'),
  ]);
  const advice = 'Set the clock and let chrony or systemd-timesyncd keep it.';
  if (newest !== undefined && newest.changedMs > now + wrongMs)
    return [
      problem(
        about,
        `It says ${new Date(now).toISOString()}, but ${newest.path} was changed later than that.`,
        advice,
      ),
    ];
  const [worst] = timesHeard.toSorted((one, other) => Math.abs(other.skewMs) - Math.abs(one.skewMs));
  if (worst === undefined) return [ok(about, `${new Date(now).toISOString()}; nobody to compare it with.`)];
  const seconds = Math.round(Math.abs(worst.skewMs) / 1000);
  const said = `It is ${seconds} s ${worst.skewMs > 0 ? 'ahead of' : 'behind'} ${worst.from}.`;
  if (Math.abs(worst.skewMs) > wrongMs) return [problem(about, said, advice)];
  if (Math.abs(worst.skewMs) > doubtfulMs) return [warning(about, said, advice)];
  return [ok(about, `Agrees with ${timesHeard.map(({ from }) => from).join(', ')}.`)];
};

function newestFile(paths: readonly string[]): { path: string; changedMs: number } | undefined {
  return paths
    .filter((path) => existsSync(path))
    .map((path) => ({ path, changedMs: statSync(path).mtimeMs }))
    .toSorted((one, other) => other.changedMs - one.changedMs)[0];
}
