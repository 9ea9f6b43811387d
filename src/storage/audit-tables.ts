/** Columns of the audit trail: times in milliseconds, absence as null. */
export interface AuditTables {
  audit_entries: AuditEntriesTable;
  notices_seen: { person_id: string; position: number };
}

export interface AuditEntriesTable {
  position: number;
  at: number;
  kind: string;
  actor_kind: 'person' | 'stranger' | 'command' | 'provider' | 'service';
  actor_id: string | null;
  person_id: string | null;
  address: string | null;
  user_agent: string | null;
  /** A JSON object. */
  detail: string;
  is_notice: number;
  previous_hash: string;
  hash: string;
}
