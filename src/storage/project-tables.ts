import type { LaneName } from '#vocabulary/sharing';

export interface ProjectTables {
  projects: ProjectsTable;
  project_members: ProjectMembersTable;
  limits: LimitsTable;
  /** One row. */
  project_revision: { revision: number };
}

export interface ProjectsTable {
  id: string;
  name: string;
  description: string;
  weight: number;
  models: string;
  ends_at: number | null;
  groups: string;
  shares_prompts: number;
}

/** Somebody may be a member by a group and because they were added. */
interface ProjectMembersTable {
  project_id: string;
  person_id: string;
  role: 'member' | 'lead';
  source: 'added' | 'group';
}

export interface LimitsTable {
  scope: 'key' | 'person' | 'project' | 'member';
  subject_id: string;
  /** Empty for all models together. */
  model: string;
  amounts: string;
}

/** Columns that later work gave to older tables. */
export interface KeyProjectColumns {
  project_id: string;
  lane: LaneName;
}
