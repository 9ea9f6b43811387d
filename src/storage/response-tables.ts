export interface ResponseTables {
  responses: ResponsesTable;
}

export interface ResponsesTable {
  id: string;
  owner: string;
  person_id: string | null;
  created_at: number;
  expires_at: number;
  alive_until: number | null;
  /** The process that writes it, while it is being written. */
  written_by: string | null;
  previous_id: string | null;
  response: string;
  input: string;
  events: string | null;
  /** What its writer has left for whoever goes on with it. */
  put_down: Uint8Array | null;
  /** Of the texts together. */
  bytes: number;
}
