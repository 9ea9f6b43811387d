import type { Generated } from 'kysely';
import type { AccountTables } from './account-tables.ts';
import type { AuditTables } from './audit-tables.ts';
import type { ConversationTables } from './conversation-tables.ts';
import type { DocumentTables } from './document-tables.ts';
import type { StatusTables } from './status-tables.ts';
import type { KeyProjectColumns, ProjectTables } from './project-tables.ts';
import type { PresetTables } from './preset-tables.ts';
import type { ResponseTables } from './response-tables.ts';
import type { SpaceTables } from './space-tables.ts';

/** The columns as the database holds them: times in milliseconds, lists as JSON text, absence as null. */
export interface Tables
  extends
    AccountTables,
    AuditTables,
    ConversationTables,
    DocumentTables,
    PresetTables,
    ProjectTables,
    ResponseTables,
    SpaceTables,
    StatusTables {
  people: PeopleTable;
  identities: IdentitiesTable;
  api_keys: ApiKeysTable;
  api_key_uses: ApiKeyUsesTable;
  access_changes: AccessChangesTable;
  usage_records: UsageRecordsTable;
  usage_days: UsageDaysTable;
  /** One row. */
  service: { place: number; id: string; secret: string };
  gateways: GatewaysTable;
  gateway_news: GatewayNewsTable;
}

/** Gateways on a database that many share. */
interface GatewaysTable {
  id: string;
  /** By the clock of the database. */
  seen_at: number;
}

/** What they tell each other. */
interface GatewayNewsTable {
  id: string;
  seen_at: number;
  address: string;
  /** JSON. */
  topics: string;
}

export interface PeopleTable {
  id: string;
  email: string;
  /** Lower case; carries the uniqueness. */
  email_folded: string;
  /** By which lists are ordered; null where a gateway of another version wrote it. */
  email_order: string | null;
  name: string;
  role: 'person' | 'administrator';
  state: 'active' | 'pending' | 'disabled';
  password_hash: string | null;
  created_at: number;
  last_seen_at: number | null;
  /** The issuer that vouches for this person. */
  managed_by: string | null;
  withdrawn_at: number | null;
}

export interface IdentitiesTable {
  issuer: string;
  subject: string;
  person_id: string;
  linked_at: number;
  checked_at: number;
  refresh_token: string | null;
}

export interface ApiKeysTable extends KeyProjectColumns {
  id: string;
  person_id: string;
  name: string;
  prefix: string;
  digest: string;
  models: string;
  networks: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  successor_id: string | null;
}

/** Apart from the keys, so that being used is not a change of access. */
interface ApiKeyUsesTable {
  key_id: string;
  used_at: number;
  address: string;
}

/** Filled by triggers: whoever changes a key or a person, in whichever process, leaves a line here. */
interface AccessChangesTable {
  revision: Generated<number>;
  subject: 'key' | 'person';
  subject_id: string;
}

export interface UsageRecordsTable {
  request_id: string;
  started_at: number;
  door: string;
  caller_kind: string;
  key_id: string | null;
  person_id: string | null;
  network: string | null;
  project: string | null;
  address: string;
  endpoint: string;
  model: string;
  engine: string | null;
  ending: string;
  status: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  is_estimated: number;
  request_bytes: number;
  wait_ms: number;
  first_byte_ms: number | null;
  duration_ms: number;
  cost: Generated<number>;
  /** How many engines went on with the answer after one had died. */
  continuations: Generated<number>;
  /** What the receipt of its answer knows beyond this row. */
  receipt: Generated<string | null>;
}

/** Empty texts stand for nobody. */
interface UsageDaysTable {
  /** UTC, counted from 1970. */
  day: number;
  person_id: string;
  key_id: string;
  project: string;
  network: string;
  door: string;
  model: string;
  requests: number;
  unfinished_requests: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  estimated_tokens: number;
  cost: number;
}
