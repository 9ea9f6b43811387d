import type { AuditEntry, AuditQuery, ChainVerdict } from '#vocabulary/audit';
import type { auditRoutes } from '#contract/audit';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { describeDevice } from '../describe-device.ts';

const defaultPage = 50;

export function createAuditHandlers(parts: ConsoleParts): HandlersOf<typeof auditRoutes> {
  const { audit, people, desks, projectDesk } = parts;
  let verifying: Promise<ChainVerdict> | undefined;

  return {
    'GET /console/account/activity': async ({ session, query }) => {
      const personId = session.person.id;
      const { entries, nextCursor } = await readPage({ personId }, query);
      return {
        entries: await Promise.all(entries.map((entry) => viewActivity(entry, personId))),
        nextCursor,
      };
    },

    'GET /console/account/notices': async ({ session }) => {
      const personId = session.person.id;
      const entries = await audit.noticesFor(personId, session.id);
      return { entries: await Promise.all(entries.map((entry) => viewActivity(entry, personId))) };
    },

    'POST /console/account/notices/seen': async ({ session, body }) => {
      await audit.noteSeen(session.person.id, readPosition(body.upTo) ?? 0);
      return { done: true };
    },

    'GET /console/administration/audit': async ({ query }) => {
      const { kind, personId, actorId, since, until } = query;
      const involvedId = await findInvolved(query.who);
      const page = await readPage({ kind, personId, actorId, involvedId, since, until }, query);
      return { entries: await Promise.all(page.entries.map(viewEntry)), nextCursor: page.nextCursor };
    },

    'GET /console/administration/audit/verdict': async () => {
      const { entries, head, flaw } = await verify();
      return { entries, head, brokenAt: flaw === undefined ? null : entries + 1 };
    },

    'GET /console/administration/audit.jsonl': async ({ query }) => ({
      fileName: `audit-${new Date(parts.clock.wallMs()).toISOString().slice(0, 10)}.jsonl`,
      contentType: 'application/x-ndjson',
      content: writeLines(query, await findInvolved(query.who)),
    }),
  };

  /** One reading of the whole trail serves everybody who asks meanwhile. */
  function verify(): Promise<ChainVerdict> {
    verifying ??= audit.verify().finally(() => {
      verifying = undefined;
    });
    return verifying;
  }

  /** Nobody has the address: then nothing concerns them. */
  async function findInvolved(who: string | undefined): Promise<string | undefined> {
    const wanted = who?.trim() ?? '';
    if (wanted === '') return undefined;
    return (await people.findByEmail(wanted))?.id ?? wanted;
  }

  async function* writeLines(
    { kind, since = -Infinity, until = Infinity }: Pick<AuditQuery, 'kind' | 'since' | 'until'>,
    involvedId: string | undefined,
  ): AsyncIterable<string> {
    for await (const { at, ...entry } of audit.readAll()) {
      if (at < since || at >= until || (kind !== undefined && entry.kind !== kind)) continue;
      if (involvedId !== undefined && entry.personId !== involvedId && entry.actorId !== involvedId) continue;
      yield `${JSON.stringify({ at: new Date(at).toISOString(), ...entry })}\n`;
    }
  }

  async function readPage(
    filters: Omit<AuditQuery, 'limit' | 'before'>,
    {
      cursor,
      limit = defaultPage,
    }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  ) {
    const before = cursor === undefined ? undefined : readPosition(cursor);
    const found = await audit.list({ ...filters, before, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    return { entries, nextCursor: found.length > limit && last !== undefined ? String(last.position) : null };
  }

  async function viewActivity(entry: AuditEntry, ownerId: string) {
    const { actorKind: kind, actorId } = entry;
    const isYou = kind === 'person' && actorId === ownerId;
    // Where an administrator sits is nobody else's business; who it was is told.
    const place = isYou || kind === 'stranger' ? {} : { address: null, device: null };
    // The session is ours to know; what made it is what people recognise.
    const { session: _session, ...detail } = entry.detail;
    return {
      ...viewCommon(entry),
      ...place,
      by: { kind, isYou, name: await nameOf(entry) },
      detail: await named(detail),
    };
  }

  async function viewEntry(entry: AuditEntry) {
    const { actorKind: kind, actorId, personId, hash, detail } = entry;
    const person = personId === undefined ? undefined : await people.find(personId);
    return {
      ...viewCommon(entry),
      by: { kind, id: actorId ?? null, name: await nameOf(entry) },
      person: personId === undefined ? null : { id: personId, name: person?.name ?? null },
      detail: await named(detail),
      hash,
    };
  }

  /** Projects and people as they are called now; the export keeps their ids. */
  async function named(detail: AuditEntry['detail']): Promise<AuditEntry['detail']> {
    const { project, subject, ...others } = detail;
    const isOfProject = others['scope'] === 'project' || others['scope'] === 'member';
    const makers: Record<string, string> = {};
    for (const role of ['linkMadeBy', 'invitedBy']) {
      const madeBy = others[role];
      if (typeof madeBy === 'string') makers[role] = await nameOfMaker(madeBy);
    }
    return {
      ...(typeof project === 'string' && {
        project: others['name'] === undefined ? callProject(project) : project,
      }),
      ...others,
      ...makers,
      ...(typeof subject === 'string' && isOfProject && { subject: callProject(subject) }),
      ...(others['scope'] === 'key' && subject !== undefined && { subject }),
    };
  }

  function callProject(projectId: string): string {
    return projectDesk.describe(projectId, '').name;
  }

  async function nameOf({ actorKind, actorId }: AuditEntry): Promise<string | null> {
    if (actorId === undefined) return null;
    if (actorKind === 'person') return (await people.find(actorId))?.name ?? null;
    return actorKind === 'provider' ? desks.providers.describe(actorId).name : actorId;
  }

  async function nameOfMaker(madeBy: string): Promise<string> {
    return (await people.find(madeBy))?.name ?? madeBy;
  }
}

function viewCommon({ position, at, kind, address, userAgent }: AuditEntry) {
  return {
    id: String(position),
    at,
    kind,
    address: address ?? null,
    device: userAgent === undefined ? null : describeDevice(userAgent),
  };
}

function readPosition(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
