import type { AuditEntry } from '#vocabulary/audit';
import type { Person } from '#vocabulary/stores';
import type { ConsoleParts } from './console-parts.ts';

const mostEntries = 10_000;

type AccountParts = Pick<
  ConsoleParts,
  'keyDesk' | 'projectDesk' | 'personUsage' | 'preferences' | 'desks' | 'clock'
> & { readonly audit: Pick<ConsoleParts['audit'], 'list'> };

/** Everything that is known about a person but what they wrote and what is secret. */
export async function writeAccount(
  { keyDesk, projectDesk, personUsage, preferences, audit, desks, clock }: AccountParts,
  person: Person,
): Promise<string> {
  const { id } = person;
  const now = clock.wallMs();
  const account = {
    format: 'gatehouse-account',
    version: 1,
    exportedAt: now,
    person,
    preferences: await preferences.read(id),
    providers: (await desks.providers.listOf(id)).map(({ name }) => name),
    sessions: await desks.sessions.list(id),
    projects: projectDesk.membershipsOf(id),
    keys: await keyDesk.list({ personId: id }),
    usage: await personUsage.rowsOf(id, 0, now + 86_400_000),
    activity: (await audit.list({ personId: id, limit: mostEntries })).map(describe),
  };
  return `${JSON.stringify(account, null, 2)}\n`;
}

function describe({ at, kind, actorKind, address, userAgent, detail }: AuditEntry) {
  return { at, kind, by: actorKind, address, userAgent, detail };
}
