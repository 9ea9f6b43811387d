import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { done, id, moment } from './fields.ts';

/** What operators tell everybody. */

export const announcementKind = z.enum(['information', 'warning', 'outage']);

/** As everybody sees it. */
export const shownAnnouncement = z.object({
  id,
  text: z.string(),
  kind: announcementKind,
  isDismissible: z.boolean(),
});

/** As administrators see it. */
export const announcement = shownAnnouncement.extend({
  startsAt: moment,
  endsAt: moment.nullable(),
  isOnStatusPage: z.boolean(),
  madeAt: moment,
});

const announcementFields = {
  text: z.string().trim().min(1).max(500),
  kind: announcementKind,
  /** Null: at once, and until somebody ends it. */
  startsAt: moment.nullable(),
  endsAt: moment.nullable(),
  isDismissible: z.boolean(),
  isOnStatusPage: z.boolean(),
};

export const incidentImpact = z.enum(['maintenance', 'degraded', 'outage']);

export const incident = z.object({
  id,
  title: z.string(),
  impact: incidentImpact,
  /** Empty: the service as a whole. */
  models: z.array(z.string()),
  startedAt: moment,
  resolvedAt: moment.nullable(),
  /** Oldest first. */
  updates: z.array(z.object({ at: moment, text: z.string() })),
});

const incidentText = z.string().trim().min(1).max(2000);

export const bulletinRoutes = {
  'GET /console/announcements': {
    access: 'person',
    answer: 'json',
    response: z.object({ announcements: z.array(shownAnnouncement) }),
  },
  /** Put away, for oneself alone. An announcement is everybody's, so its id tells nothing. */
  'POST /console/announcements/:announcementId/dismiss': {
    access: 'person',
    answer: 'json',
    response: done,
    pathIsCapability: true,
  },
  'GET /console/administration/announcements': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ announcements: z.array(announcement) }),
  },
  'POST /console/administration/announcements': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject(announcementFields),
    response: announcement,
  },
  'PATCH /console/administration/announcements/:announcementId': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject(announcementFields).partial(),
    response: announcement,
  },
  'DELETE /console/administration/announcements/:announcementId': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
  'GET /console/administration/incidents': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ incidents: z.array(incident) }),
  },
  'POST /console/administration/incidents': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({
      title: z.string().trim().min(1).max(120),
      impact: incidentImpact,
      models: z.array(z.string().max(200)).max(200),
      text: incidentText,
    }),
    response: incident,
  },
  'POST /console/administration/incidents/:incidentId/updates': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({ text: incidentText, resolves: z.boolean() }),
    response: incident,
  },
  'DELETE /console/administration/incidents/:incidentId': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
} as const satisfies RouteTable;

export type ShownAnnouncement = Shape<typeof shownAnnouncement>;
export type Announcement = Shape<typeof announcement>;
export type AnnouncementKind = Shape<typeof announcementKind>;
export type Incident = Shape<typeof incident>;
export type IncidentImpact = Shape<typeof incidentImpact>;
