/** What do the operators tell everybody? Announcements in the chat, incidents on the status page. */
import type { AuditTrail } from '#vocabulary/audit';
import type {
  Announcement,
  AnnouncementKind,
  AnnouncementWishes,
  BulletinDesk,
  BulletinStore,
  Incident,
} from '#vocabulary/bulletin';
import type { Clock } from '#vocabulary/clock';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';

/** More than these are not kept: somebody has to remove old ones first. */
const maxAnnouncements = 100;
const maxIncidents = 500;
const maxUpdates = 100;
export const maxAnnouncementLength = 500;
export const maxIncidentTitleLength = 120;
export const maxIncidentTextLength = 2000;

/** The gravest stands above; within a kind the newest. */
const kinds: readonly AnnouncementKind[] = ['outage', 'warning', 'information'];

/** Every open page asks; the answer may be as old as this. Other processes write too. */
const rememberMs = 2000;

export function createBulletinDesk(parts: {
  readonly store: BulletinStore;
  readonly audit: AuditTrail;
  readonly isKnownModel: (modelId: string) => boolean;
  readonly clock: Clock;
}): BulletinDesk {
  const { store, audit, clock } = parts;
  let remembered: { readonly atMs: number; readonly list: Promise<readonly Announcement[]> } | undefined;

  return {
    announcements: () => store.listAnnouncements(),

    async currentFor(personId) {
      const now = clock.wallMs();
      const current = (await recall())
        .filter(
          ({ startsAt, endsAt, isOnStatusPage }) =>
            startsAt <= now && (endsAt ?? Infinity) > now && (personId !== undefined || isOnStatusPage),
        )
        .toSorted((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind));
      if (personId === undefined || !current.some(({ isDismissible }) => isDismissible)) return current;
      const dismissed = await store.readDismissed(personId);
      return current.filter(({ id, isDismissible }) => !isDismissible || !dismissed.has(id));
    },

    async announce(wishes, by) {
      checkAnnouncement(wishes);
      if ((await store.listAnnouncements()).length >= maxAnnouncements) throw full('announcements');
      const announcement = { ...wishes, text: wishes.text.trim(), id: mintId('ann'), madeAt: clock.wallMs() };
      await audit.note({ kind: 'announcement-made', by, detail: { id: announcement.id, text: wishes.text } });
      await put(announcement);
      return announcement;
    },

    async change(announcementId, change, by) {
      const known = await findAnnouncement(announcementId);
      const changed = { ...known, ...change, text: (change.text ?? known.text).trim() };
      checkAnnouncement(changed);
      await audit.note({
        kind: 'announcement-changed',
        by,
        detail: { id: known.id, changed: Object.keys(change).join(', ') },
      });
      await put(changed);
      return changed;
    },

    async remove(announcementId, by) {
      const { id, text } = await findAnnouncement(announcementId);
      await audit.note({ kind: 'announcement-removed', by, detail: { id, text } });
      await store.removeAnnouncement(id);
      remembered = undefined;
    },

    async dismiss(announcementId, personId) {
      const announcement = await findAnnouncement(announcementId);
      if (!announcement.isDismissible)
        throw new Refusal('conflict', 'This announcement stays until the operators end it.');
      await store.dismiss(personId, announcementId);
    },

    async incidents(since) {
      return (await store.listIncidents()).filter(({ resolvedAt }) => (resolvedAt ?? Infinity) >= since);
    },

    async openIncident({ title, impact, models, text }, by) {
      requireText('title', title, maxIncidentTitleLength);
      requireText('text', text, maxIncidentTextLength);
      const unknown = models.find((modelId) => !parts.isKnownModel(modelId));
      if (unknown !== undefined)
        throw new Refusal('invalid_parameter', `There is no model ${unknown}.`, { param: 'models' });
      if ((await store.listIncidents()).length >= maxIncidents) throw full('incidents');
      const now = clock.wallMs();
      const incident: Incident = {
        id: mintId('inc'),
        title: title.trim(),
        impact,
        models,
        startedAt: now,
        resolvedAt: undefined,
        updates: [{ at: now, text: text.trim() }],
      };
      await audit.note({ kind: 'incident-opened', by, detail: { id: incident.id, title, impact } });
      await store.putIncident(incident);
      return incident;
    },

    async updateIncident(incidentId, text, resolves, by) {
      requireText('text', text, maxIncidentTextLength);
      const incident = await findIncident(incidentId);
      if (incident.resolvedAt !== undefined)
        throw new Refusal('conflict', 'This incident is over. Open a new one if it has come back.');
      if (incident.updates.length >= maxUpdates) throw full('updates');
      const now = clock.wallMs();
      const updated: Incident = {
        ...incident,
        updates: [...incident.updates, { at: now, text: text.trim() }],
        resolvedAt: resolves ? now : undefined,
      };
      const kind = resolves ? 'incident-resolved' : 'incident-updated';
      await audit.note({ kind, by, detail: { id: incident.id, title: incident.title } });
      await store.putIncident(updated);
      return updated;
    },

    async removeIncident(incidentId, by) {
      const { id, title } = await findIncident(incidentId);
      await audit.note({ kind: 'incident-removed', by, detail: { id, title } });
      await store.removeIncident(id);
    },
  };

  function recall(): Promise<readonly Announcement[]> {
    const nowMs = clock.monotonicMs();
    if (remembered === undefined || nowMs - remembered.atMs > rememberMs) {
      const list = store.listAnnouncements();
      remembered = { atMs: nowMs, list };
      list.catch(() => {
        if (remembered?.list === list) remembered = undefined;
      });
    }
    return remembered.list;
  }

  async function put(announcement: Announcement): Promise<void> {
    await store.putAnnouncement(announcement);
    remembered = undefined;
  }

  async function findAnnouncement(announcementId: string): Promise<Announcement> {
    const found = (await store.listAnnouncements()).find(({ id }) => id === announcementId);
    if (found === undefined) throw new Refusal('not_found', 'There is no such announcement.');
    return found;
  }

  async function findIncident(incidentId: string): Promise<Incident> {
    const found = (await store.listIncidents()).find(({ id }) => id === incidentId);
    if (found === undefined) throw new Refusal('not_found', 'There is no such incident.');
    return found;
  }
}

function checkAnnouncement({ text, startsAt, endsAt }: AnnouncementWishes): void {
  requireText('text', text, maxAnnouncementLength);
  if (endsAt !== undefined && endsAt < startsAt)
    throw new Refusal('invalid_parameter', 'It cannot end before it begins.', { param: 'endsAt' });
}

function requireText(param: string, text: string, maxLength: number): void {
  if (text.trim() === '') throw new Refusal('invalid_parameter', 'Write something.', { param });
  if (text.length > maxLength)
    throw new Refusal('invalid_parameter', `Write at most ${maxLength} characters.`, { param });
}

function full(what: string): Refusal {
  return new Refusal('conflict', `There are as many ${what} as are kept. Remove old ones first.`);
}
