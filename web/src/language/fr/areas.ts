import type { AreaWords } from '../areas.ts';
import { frAdministration } from './administration.ts';
import { frAppearance } from './appearance.ts';
import { frBulletin } from './bulletin.ts';
import { frCompare } from './compare.ts';
import { frContext } from './context.ts';
import { frDrift } from './drift.ts';
import { frEngines } from './engines.ts';
import { frFolders } from './folders.ts';
import { frPalette } from './palette.ts';
import { frPresets } from './presets.ts';
import { frImports } from './imports.ts';
import { frManage } from './manage.ts';
import { frOverview } from './overview.ts';
import { frPages } from './pages.ts';
import { frPreviews } from './previews.ts';
import { frSpaces } from './spaces.ts';
import { frStatus } from './status.ts';
import { frTools } from './tools.ts';
import { frTrail } from './trail.ts';
import { frWorking } from './working.ts';

export const frAreas: AreaWords = {
  administration: frAdministration,
  appearance: frAppearance,
  bulletin: frBulletin,
  compare: frCompare,
  context: frContext,
  drift: frDrift,
  engines: frEngines,
  folders: frFolders,
  palette: frPalette,
  presets: frPresets,
  imports: frImports,
  manage: frManage,
  overview: frOverview,
  pages: frPages,
  previews: frPreviews,
  spaces: frSpaces,
  status: frStatus,
  tools: frTools,
  trail: frTrail,
  working: frWorking,
};
