import type { Actor } from './audit.ts';

/** What the operators tell everybody: announcements in the chat, and incidents on the status page. */

export type AnnouncementKind = 'information' | 'warning' | 'outage';

export interface Announcement {
  readonly id: string;
  readonly text: string;
  readonly kind: AnnouncementKind;
  /** Milliseconds since the epoch, like every time here. */
  readonly startsAt: number;
  /** Undefined: until somebody ends it. */
  readonly endsAt: number | undefined;
  /** Everybody can put it away for themselves. */
  readonly isDismissible: boolean;
  /** Also on the status page, for whoever may read that. */
  readonly isOnStatusPage: boolean;
  readonly madeAt: number;
}

export type AnnouncementWishes = Omit<Announcement, 'id' | 'madeAt'>;

export type IncidentImpact = 'maintenance' | 'degraded' | 'outage';

export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly impact: IncidentImpact;
  /** The models concerned; none: the service as a whole. */
  readonly models: readonly string[];
  readonly startedAt: number;
  readonly resolvedAt: number | undefined;
  /** Oldest first. */
  readonly updates: readonly IncidentUpdate[];
}

export interface IncidentUpdate {
  readonly at: number;
  readonly text: string;
}

export interface IncidentWishes {
  readonly title: string;
  readonly impact: IncidentImpact;
  readonly models: readonly string[];
  readonly text: string;
}

/** Where operators write, and everybody reads. Changes are audited and refused when they are too much. */
export interface BulletinDesk {
  /** All that are kept, newest first. */
  announcements(): Promise<readonly Announcement[]>;
  /** What holds now and this person has not put away; nobody in particular: what is on the status page. */
  currentFor(personId: string | undefined): Promise<readonly Announcement[]>;
  announce(wishes: AnnouncementWishes, by: Actor): Promise<Announcement>;
  change(announcementId: string, change: Partial<AnnouncementWishes>, by: Actor): Promise<Announcement>;
  remove(announcementId: string, by: Actor): Promise<void>;
  dismiss(announcementId: string, personId: string): Promise<void>;
  /** Those that ended after this moment or go on; newest first. */
  incidents(since: number): Promise<readonly Incident[]>;
  openIncident(wishes: IncidentWishes, by: Actor): Promise<Incident>;
  /** With `resolves` it is over. */
  updateIncident(incidentId: string, text: string, resolves: boolean, by: Actor): Promise<Incident>;
  removeIncident(incidentId: string, by: Actor): Promise<void>;
}

export interface BulletinStore {
  /** Newest first. */
  listAnnouncements(): Promise<readonly Announcement[]>;
  /** Takes the place of the one with this id. */
  putAnnouncement(announcement: Announcement): Promise<void>;
  removeAnnouncement(announcementId: string): Promise<boolean>;
  readDismissed(personId: string): Promise<ReadonlySet<string>>;
  dismiss(personId: string, announcementId: string): Promise<void>;
  /** Newest first. */
  listIncidents(): Promise<readonly Incident[]>;
  putIncident(incident: Incident): Promise<void>;
  removeIncident(incidentId: string): Promise<boolean>;
}
