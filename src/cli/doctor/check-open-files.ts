import { readFileSync } from 'node:fs';
import type { Settings } from '#settings';
import { type Check, ok, warning } from './finding.ts';

const about = 'open files';
/** Libraries, the database, the journal and logs. */
const ownFiles = 200;

/** Every caller and every request to an engine is an open file. */
export const checkOpenFiles: Check = ({ loaded, service }) => {
  const allowed = service?.metrics?.sum('process_max_fds') ?? readOwnLimit();
  if (allowed === undefined) return [ok(about, 'This system does not tell its limit.')];
  const needed = neededFiles(loaded.settings);
  const whose = service === undefined ? 'a program started from here' : 'the running service';
  if (allowed >= needed) return [ok(about, `${allowed} for ${whose}; ${needed} are needed at most.`)];
  return [
    warning(
      about,
      `${allowed} for ${whose}; ${needed} are needed when all connections and engines are in use.`,
      `Set LimitNOFILE=${needed} in the systemd unit (ulimit -n elsewhere), or lower limits.maxConnections.`,
    ),
  ];
};

function neededFiles({ limits, catalogue }: Settings): number {
  const towardsEngines = catalogue.engines.reduce((sum, { maxConcurrent }) => sum + maxConcurrent + 16, 0);
  return limits.maxConnections + towardsEngines + ownFiles;
}

/** Node raises the soft limit to this at its start. */
function readOwnLimit(): number | undefined {
  try {
    const found = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}
