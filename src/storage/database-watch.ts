import { stat } from 'node:fs/promises';
import type { Logger } from '#vocabulary/logger';
import { databaseIdentity } from './database-identity.ts';

/** Notices when the file of an open database is taken away: its connections would go on writing into nowhere. */
export interface DatabaseWatch {
  problem(): string | undefined;
  stop(): void;
}

const lookEveryMs = 1_000;

export function watchDatabase(path: string, logger: Logger): DatabaseWatch {
  const opened = databaseIdentity(path);
  let problem: string | undefined;

  async function look(): Promise<void> {
    const found = await stat(path).catch(() => undefined);
    const isThere = found !== undefined && found.size > 0 && `${found.dev}:${found.ino}` === opened;
    const before = problem;
    problem = isThere
      ? undefined
      : `the database ${path} was removed or replaced while the service was running`;
    if (problem !== undefined && before === undefined)
      logger.error(
        { path },
        'the database was removed or replaced while the service was running. Put it back, or restore a backup, and start again.',
      );
    if (problem === undefined && before !== undefined) logger.info({ path }, 'the database is back');
  }

  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return { problem: () => problem, stop: () => clearInterval(timer) };
}
