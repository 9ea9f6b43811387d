import type { Accounts } from '#accounts';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import { systemClock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';

export interface Books {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly accounts: Accounts;
}

/** Opens the database beside a server that may be running; the server hears of changes by itself. */
export async function withBooks(
  settingsFile: string | undefined,
  work: (books: Books) => Promise<number>,
): Promise<number> {
  const [{ createAccounts }, { loadSettings }, { openStorage }] = await Promise.all([
    import('#accounts'),
    import('#settings'),
    import('#storage'),
  ]);
  const { settings } = loadSettings({
    file: settingsFile,
    environment: process.env,
    workingDirectory: process.cwd(),
  });
  const storage = openStorage({
    dataDir: settings.dataDir,
    logger: quietLogger,
    queriesRunIn: 'this-thread',
  });
  try {
    const accounts = createAccounts({
      keys: storage.keys,
      clock: systemClock,
      logger: quietLogger,
      keyPolicy: { maxKeysPerPerson: settings.keys.maxPerPerson, maxLifetimeMs: settings.keys.maxLifetimeMs },
    });
    return await work({ settings, storage, accounts });
  } finally {
    await storage.close();
  }
}

/** What a command has to say it says itself. */
export const quietLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => quietLogger,
};
