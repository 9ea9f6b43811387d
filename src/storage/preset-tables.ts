export interface PresetTables {
  presets: PresetsTable;
}

export interface PresetsTable {
  id: string;
  scope: 'person' | 'project' | 'service';
  /** A person's or project's id; empty for the service. */
  owner_id: string;
  name: string;
  /** Lower case; carries the uniqueness. */
  name_folded: string;
  description: string;
  model: string | null;
  effort: 'low' | 'medium' | 'high' | null;
  system_prompt: string | null;
  /** JSON. */
  parameters: string | null;
  prompt: string;
  updated_at: number;
}
