import type { enAdministration } from './en/administration.ts';
import type { enAppearance } from './en/appearance.ts';
import type { enBulletin } from './en/bulletin.ts';
import type { enCompare } from './en/compare.ts';
import type { enContext } from './en/context.ts';
import type { enDrift } from './en/drift.ts';
import type { enEngines } from './en/engines.ts';
import type { enFolders } from './en/folders.ts';
import type { enPalette } from './en/palette.ts';
import type { enPresets } from './en/presets.ts';
import type { enImports } from './en/imports.ts';
import type { enManage } from './en/manage.ts';
import type { enOverview } from './en/overview.ts';
import type { enPages } from './en/pages.ts';
import type { enPreviews } from './en/previews.ts';
import type { enSpaces } from './en/spaces.ts';
import type { enStatus } from './en/status.ts';
import type { enTools } from './en/tools.ts';
import type { enTrail } from './en/trail.ts';
import type { enWorking } from './en/working.ts';

/** The words of everything that is loaded when it is opened. A language that lacks an area, or a sentence of one, does not compile. */
export interface AreaWords {
  readonly administration: typeof enAdministration;
  readonly appearance: typeof enAppearance;
  readonly bulletin: typeof enBulletin;
  readonly compare: typeof enCompare;
  readonly context: typeof enContext;
  readonly drift: typeof enDrift;
  readonly engines: typeof enEngines;
  readonly folders: typeof enFolders;
  readonly palette: typeof enPalette;
  readonly presets: typeof enPresets;
  readonly imports: typeof enImports;
  readonly manage: typeof enManage;
  readonly overview: typeof enOverview;
  readonly pages: typeof enPages;
  readonly previews: typeof enPreviews;
  readonly spaces: typeof enSpaces;
  readonly status: typeof enStatus;
  readonly tools: typeof enTools;
  readonly trail: typeof enTrail;
  readonly working: typeof enWorking;
}
