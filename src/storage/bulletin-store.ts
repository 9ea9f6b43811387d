import type { Kysely, Selectable } from 'kysely';
import type { Announcement, BulletinStore, Incident, IncidentUpdate } from '#vocabulary/bulletin';
import type { AnnouncementsTable, IncidentsTable } from './status-tables.ts';
import type { Tables } from './tables.ts';

export function createBulletinStore(database: Kysely<Tables>): BulletinStore {
  return {
    async listAnnouncements() {
      const rows = await database
        .selectFrom('announcements')
        .selectAll()
        .orderBy('made_at', 'desc')
        .execute();
      return rows.map(readAnnouncement);
    },

    async putAnnouncement(announcement) {
      const { id, ...row } = announcementRow(announcement);
      await database
        .insertInto('announcements')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    },

    async removeAnnouncement(announcementId) {
      const removed = await database
        .deleteFrom('announcements')
        .where('id', '=', announcementId)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },

    async readDismissed(personId) {
      const rows = await database
        .selectFrom('announcements_dismissed')
        .select('announcement_id')
        .where('person_id', '=', personId)
        .execute();
      return new Set(rows.map((row) => row.announcement_id));
    },

    async dismiss(personId, announcementId) {
      await database
        .insertInto('announcements_dismissed')
        .values({ person_id: personId, announcement_id: announcementId })
        .onConflict((conflict) => conflict.columns(['person_id', 'announcement_id']).doNothing())
        .execute();
    },

    async listIncidents() {
      const rows = await database.selectFrom('incidents').selectAll().orderBy('started_at', 'desc').execute();
      return rows.map(readIncident);
    },

    async putIncident(incident) {
      const { id, ...row } = incidentRow(incident);
      await database
        .insertInto('incidents')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    },

    async removeIncident(incidentId) {
      const removed = await database.deleteFrom('incidents').where('id', '=', incidentId).executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

function readAnnouncement(row: Selectable<AnnouncementsTable>): Announcement {
  return {
    id: row.id,
    text: row.text,
    kind: row.kind,
    startsAt: row.starts_at,
    endsAt: row.ends_at ?? undefined,
    isDismissible: row.is_dismissible === 1,
    isOnStatusPage: row.is_on_status_page === 1,
    madeAt: row.made_at,
  };
}

function announcementRow(announcement: Announcement): AnnouncementsTable {
  return {
    id: announcement.id,
    text: announcement.text,
    kind: announcement.kind,
    starts_at: announcement.startsAt,
    ends_at: announcement.endsAt ?? null,
    is_dismissible: announcement.isDismissible ? 1 : 0,
    is_on_status_page: announcement.isOnStatusPage ? 1 : 0,
    made_at: announcement.madeAt,
  };
}

function readIncident(row: Selectable<IncidentsTable>): Incident {
  return {
    id: row.id,
    title: row.title,
    impact: row.impact,
    models: JSON.parse(row.models) as string[],
    startedAt: row.started_at,
    resolvedAt: row.resolved_at ?? undefined,
    updates: JSON.parse(row.updates) as IncidentUpdate[],
  };
}

function incidentRow(incident: Incident): IncidentsTable {
  return {
    id: incident.id,
    title: incident.title,
    impact: incident.impact,
    models: JSON.stringify(incident.models),
    started_at: incident.startedAt,
    resolved_at: incident.resolvedAt ?? null,
    updates: JSON.stringify(incident.updates),
  };
}
