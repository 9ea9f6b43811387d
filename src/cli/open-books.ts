import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Accounts } from '#accounts';
import type { Audit } from '#audit';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { Actor } from '#vocabulary/audit';
import { systemClock } from '#vocabulary/clock';
import { silentLogger } from '#vocabulary/logger';

export interface Books {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly accounts: Accounts;
  readonly audit: Audit;
  /** Whoever runs the command, for the audit trail. */
  readonly actor: Actor;
}

/** Opens the database beside a server that may be running; the server hears of changes by itself. */
export async function withBooks(
  settingsFile: string | undefined,
  work: (books: Books) => Promise<number>,
): Promise<number> {
  const [{ createAccounts }, { createAudit }, { loadSettings }, { dataFolderProblem, openDatabase }] =
    await Promise.all([import('#accounts'), import('#audit'), import('#settings'), import('#storage')]);
  const { settings } = loadSettings({
    file: settingsFile,
    environment: process.env,
    workingDirectory: process.cwd(),
  });
  const isNew = settings.database === undefined && !existsSync(join(settings.dataDir, 'gatehouse.db'));
  const storage = await openDatabase({
    ...settings,
    // A database that is away is waited for, and whoever waits wants to know.
    logger: { ...silentLogger, warn: (_facts, message) => void process.stderr.write(`${message}\n`) },
    queriesRunIn: 'this-thread',
  });
  // Whoever stands in another folder than the service would take its books for empty.
  if (isNew)
    process.stderr.write(
      `There was no database in ${settings.dataDir}; an empty one was made. If your service keeps its data elsewhere, name that with --settings FILE or GATEHOUSE_DATA_DIR.\n`,
    );
  try {
    const audit = createAudit({
      store: storage.audit,
      clock: systemClock,
      logger: silentLogger,
      ...settings.audit,
    });
    const accounts = createAccounts({
      keys: storage.keys,
      clock: systemClock,
      logger: silentLogger,
      audit,
      keyPolicy: { maxKeysPerPerson: settings.keys.maxPerPerson, maxLifetimeMs: settings.keys.maxLifetimeMs },
    });
    return await work({ settings, storage, accounts, audit, actor: { kind: 'command', user: userName() } });
  } catch (cause) {
    throw dataFolderProblem(settings.dataDir, cause) ?? cause;
  } finally {
    await storage.close();
  }
}

/** Some users of containers have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
