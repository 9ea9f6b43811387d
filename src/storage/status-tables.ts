import type { AnnouncementKind, IncidentImpact } from '#vocabulary/bulletin';
import type { StretchLength } from '#vocabulary/service-history';

export interface StatusTables {
  service_history: ServiceHistoryTable;
  service_notes: { name: string; value: string };
  announcements: AnnouncementsTable;
  announcements_dismissed: { person_id: string; announcement_id: string };
  incidents: IncidentsTable;
}

export interface ServiceHistoryTable {
  length: StretchLength;
  starts_at: number;
  model: string;
  requests: number;
  failures: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  seconds_seen: number;
  seconds_up: number;
  waiting_seconds: number;
  running_seconds: number;
  first_within_100: number;
  first_within_250: number;
  first_within_500: number;
  first_within_1000: number;
  first_within_2000: number;
  first_within_5000: number;
  first_within_10000: number;
  first_within_30000: number;
  first_later: number;
}

export interface AnnouncementsTable {
  id: string;
  text: string;
  kind: AnnouncementKind;
  starts_at: number;
  ends_at: number | null;
  is_dismissible: number;
  is_on_status_page: number;
  made_at: number;
}

export interface IncidentsTable {
  id: string;
  title: string;
  impact: IncidentImpact;
  models: string;
  started_at: number;
  resolved_at: number | null;
  /** A JSON list. */
  updates: string;
}
