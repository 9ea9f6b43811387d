import type {
  Announcement as AnnouncementView,
  bulletinRoutes,
  Incident as IncidentView,
} from '#contract/bulletin';
import type { statusRoutes } from '#contract/status';
import type { Announcement, Incident } from '#vocabulary/bulletin';
import { Refusal } from '#vocabulary/refusal';
import { actorOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createBulletinHandlers({
  bulletin,
  status,
  clock,
}: ConsoleParts): HandlersOf<typeof bulletinRoutes> & HandlersOf<typeof statusRoutes> {
  return {
    'GET /console/status': async ({ session, query }) => {
      if (!status.isPublic && session === undefined)
        throw new Refusal('sign_in_required', 'Sign in to read how the service is doing.');
      const report = await status.report();
      if (query.days === 'all') return report;
      return { ...report, models: report.models.map((model) => ({ ...model, days: model.days.slice(-1) })) };
    },

    'GET /console/announcements': async ({ session }) => ({
      announcements: (await bulletin.currentFor(session.person.id)).map(
        ({ id, text, kind, isDismissible }) => ({ id, text, kind, isDismissible }),
      ),
    }),

    'POST /console/announcements/:announcementId/dismiss': async ({ session, parameters }) => {
      await bulletin.dismiss(parameters.announcementId, session.person.id);
      return { done: true };
    },

    'GET /console/administration/announcements': async () => ({
      announcements: (await bulletin.announcements()).map(viewAnnouncement),
    }),

    'POST /console/administration/announcements': async ({ session, device, body }) => {
      const wishes = { ...body, startsAt: body.startsAt ?? clock.wallMs(), endsAt: body.endsAt ?? undefined };
      return viewAnnouncement(await bulletin.announce(wishes, actorOf(session, device)));
    },

    'PATCH /console/administration/announcements/:announcementId': async ({
      session,
      device,
      parameters,
      body,
    }) => {
      const { startsAt, endsAt, ...change } = body;
      const times = {
        ...(startsAt !== undefined && { startsAt: startsAt ?? clock.wallMs() }),
        ...(endsAt !== undefined && { endsAt: endsAt ?? undefined }),
      };
      const changed = { ...withoutUndefined(change), ...times };
      return viewAnnouncement(
        await bulletin.change(parameters.announcementId, changed, actorOf(session, device)),
      );
    },

    'DELETE /console/administration/announcements/:announcementId': async ({
      session,
      device,
      parameters,
    }) => {
      await bulletin.remove(parameters.announcementId, actorOf(session, device));
      return { done: true };
    },

    'GET /console/administration/incidents': async () => ({
      incidents: (await bulletin.incidents(0)).map(viewIncident),
    }),

    'POST /console/administration/incidents': async ({ session, device, body }) =>
      viewIncident(await bulletin.openIncident(body, actorOf(session, device))),

    'POST /console/administration/incidents/:incidentId/updates': async ({
      session,
      device,
      parameters,
      body,
    }) =>
      viewIncident(
        await bulletin.updateIncident(
          parameters.incidentId,
          body.text,
          body.resolves,
          actorOf(session, device),
        ),
      ),

    'DELETE /console/administration/incidents/:incidentId': async ({ session, device, parameters }) => {
      await bulletin.removeIncident(parameters.incidentId, actorOf(session, device));
      return { done: true };
    },
  };
}

function viewAnnouncement(announcement: Announcement): AnnouncementView {
  return { ...announcement, endsAt: announcement.endsAt ?? null };
}

function viewIncident(incident: Incident): IncidentView {
  return { ...incident, resolvedAt: incident.resolvedAt ?? null };
}

/** An optional field that is given as undefined is not given. */
function withoutUndefined<Given extends object>(
  given: Given,
): { [Name in keyof Given]: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
