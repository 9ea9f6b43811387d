import { createAccounts } from '#accounts';
import { createAudit } from '#audit';
import { openDatabase, type Storage } from '#storage';
import { systemClock } from '#vocabulary/clock';
import type { KeyDesk } from '#vocabulary/key-desk';
import { silentLogger } from '#vocabulary/logger';

export interface KeyOptions {
  readonly name?: string;
  readonly email?: string;
  readonly models?: readonly string[];
  readonly networks?: readonly string[];
  readonly expiresAt?: number;
  /** The owner becomes a member of it. */
  readonly project?: string | undefined;
}

export interface MadeKey {
  readonly id: string;
  readonly secret: string;
  readonly personId: string;
}

/** Makes keys on the files of a running gateway, as the command line does, without the cost of a process each. */
export async function issueKey(dataDir: string, options: KeyOptions, database?: string): Promise<MadeKey> {
  return await atTheDesk({ dataDir, database }, async (desk, storage) => {
    const email = options.email ?? 'tester@example.org';
    const known = await storage.people.findByEmail(email);
    const personId = known?.id ?? `person-${email}`;
    if (known === undefined) {
      await storage.people.insert({
        id: personId,
        email,
        name: 'Tester',
        role: 'person',
        state: 'active',
        createdAt: Date.now(),
        passwordHash: undefined,
      });
    }
    if (options.project !== undefined)
      await storage.projects.putMember({
        projectId: options.project,
        personId,
        role: 'member',
        source: 'added',
      });
    const { secret, key } = await desk.issue(
      personId,
      {
        name: options.name ?? 'test',
        expiresAt: options.expiresAt,
        models: options.models ?? [],
        networks: options.networks ?? [],
        projectId: options.project,
      },
      tester,
    );
    return { id: key.id, secret, personId };
  });
}

export async function revokeKey(dataDir: string, keyId: string): Promise<void> {
  await atTheDesk({ dataDir, database: undefined }, (desk) => desk.revoke('anybody', keyId, tester));
}

/** As when it is replaced: from then on its time is over. */
export async function endKeySoon(dataDir: string, keyId: string): Promise<void> {
  await atTheDesk(
    { dataDir, database: undefined },
    async (desk) => void (await desk.rotate('anybody', keyId, 500, tester)),
  );
}

export async function disablePerson(dataDir: string, personId: string): Promise<void> {
  await atTheDesk(
    { dataDir, database: undefined },
    async (_desk, storage) => void (await storage.people.update(personId, { state: 'disabled' })),
  );
}

async function atTheDesk<Result>(
  house: { readonly dataDir: string; readonly database: string | undefined },
  work: (desk: KeyDesk, storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openDatabase({ ...house, logger: silentLogger });
  try {
    const keyPolicy = { maxKeysPerPerson: undefined, maxLifetimeMs: undefined };
    const audit = createAudit({ store: storage.audit, clock: systemClock, logger: silentLogger });
    const { keyDesk } = createAccounts({
      keys: storage.keys,
      clock: systemClock,
      logger: silentLogger,
      keyPolicy,
      audit,
    });
    return await work(keyDesk, storage);
  } finally {
    await storage.close();
  }
}

const tester = { kind: 'service' } as const;
