import {
  type Actor,
  type AuditBook,
  type AuditDetail,
  type AuditEvent,
  type AuditKind,
  type AuditStore,
  type AuditTrail,
  whoIsToldOf,
} from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { chain, verifyChain } from './audit-chain.ts';
import { createFailureTally } from './failure-tally.ts';
import { openSyslogCopy } from './syslog-copy.ts';

/** Failed sign-ins are written down this often. */
const tallyEveryMs = 60_000;
const maxUnseen = 20;
const maxDetails = 16;
const maxDetailLength = 200;

/** Who did what to whom: written once, never changed, told to the person concerned. */
export interface Audit extends AuditTrail, AuditBook {
  start(): void;
  /** Writes down what is still gathered. */
  stop(): Promise<void>;
}

export function createAudit({
  store,
  clock,
  logger,
  syslog,
}: {
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Gets a copy of every entry that this process writes. */
  readonly syslog?: { readonly host: string; readonly port: number } | undefined;
}): Audit {
  const failures = createFailureTally();
  const copy = syslog === undefined ? undefined : openSyslogCopy(syslog, logger);
  let timer: NodeJS.Timeout | undefined;

  return {
    note,
    noteFailedSignIn: (personId, device) => failures.count(personId, device),
    list: (query) => store.list(query),

    async *readAll() {
      for (let position = 0; ;) {
        const page = await store.read(position, 1000);
        if (page.length === 0) return;
        yield* page;
        position = page.at(-1)?.position ?? position;
      }
    },

    async noticesFor(personId, sessionId) {
      const unseen = await store.listUnseen(personId, maxUnseen);
      return unseen.filter(({ detail }) => detail['session'] !== sessionId);
    },

    noteSeen: (personId, position) => store.noteSeen(personId, position),
    verify: (expectedHash) => verifyChain(store, expectedHash),

    start() {
      timer = setInterval(() => void writeFailures(), tallyEveryMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await writeFailures();
      copy?.close();
    },
  };

  async function note({ kind, by, personId, detail = {}, mustTell = false }: AuditEvent): Promise<void> {
    const device = 'device' in by ? by.device : undefined;
    const isNotice = personId !== undefined && (mustTell || (await isToldOf(kind, by, personId)));
    const entry = await store.append((last) =>
      chain(
        {
          at: clock.wallMs(),
          kind,
          actorKind: by.kind,
          actorId: actorIdOf(by),
          personId,
          address: device?.address,
          userAgent: device?.userAgent.slice(0, 300),
          detail: bound(detail),
          isNotice,
        },
        last,
      ),
    );
    copy?.send(entry);
  }

  async function isToldOf(kind: AuditKind, by: Actor, personId: string): Promise<boolean> {
    // The service itself is nobody: it makes the first link, at the first start.
    const isOther = by.kind !== 'service' && !(by.kind === 'person' && by.personId === personId);
    switch (whoIsToldOf(kind)) {
      case 'always':
        return true;
      case 'never':
        return false;
      case 'others':
        return isOther;
      case 'news':
        return by.kind === 'person' && (await store.familiarityOf(personId, by.device)) === 'new';
    }
  }

  async function writeFailures(): Promise<void> {
    for (const { personId, device, attempts, addresses } of failures.take()) {
      try {
        const by = { kind: 'stranger', device } as const;
        await note({ kind: 'sign-in-failed', by, personId, detail: { attempts, addresses } });
      } catch (error) {
        logger.error({ error, attempts }, 'failed sign-ins could not be written into the audit trail');
      }
    }
  }
}

function actorIdOf(by: Actor): string | undefined {
  switch (by.kind) {
    case 'person':
      return by.personId;
    case 'command':
      return by.user.slice(0, 100);
    case 'provider':
      return by.issuer.slice(0, 300);
    case 'stranger':
    case 'service':
      return undefined;
  }
}

function bound(detail: AuditDetail): AuditDetail {
  const entries = Object.entries(detail).slice(0, maxDetails);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, maxDetailLength) : value,
    ]),
  );
}
