/** Columns of what `accounts` keeps beside people and keys: times in milliseconds, absence as null. */
export interface AccountTables {
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
  invitations: InvitationsTable;
  preferences: PreferencesTable;
}

export interface SessionsTable {
  id: string;
  person_id: string;
  token_digest: string;
  created_at: number;
  last_seen_at: number;
  ends_at: number;
  user_agent: string;
  address: string;
  method: string;
  provider_id: string | null;
  id_token: string | null;
  checked_at: number | null;
}

interface SignInLinksTable {
  token_digest: string;
  person_id: string;
  created_at: number;
  expires_at: number;
  /** A person's id, a user of the machine, or empty for the service itself. */
  made_by: string;
}

export interface InvitationsTable {
  id: string;
  token_digest: string;
  email: string | null;
  role: 'person' | 'administrator';
  invited_by: string;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
  /** A JSON list of ids. */
  projects: string;
  letter: 'waiting' | 'sent' | 'failed' | null;
}

interface PreferencesTable {
  person_id: string;
  /** A JSON object. */
  content: string;
}
