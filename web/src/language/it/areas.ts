import type { AreaWords } from '../areas.ts';
import { itAdministration } from './administration.ts';
import { itAppearance } from './appearance.ts';
import { itBulletin } from './bulletin.ts';
import { itCompare } from './compare.ts';
import { itContext } from './context.ts';
import { itDrift } from './drift.ts';
import { itEngines } from './engines.ts';
import { itFolders } from './folders.ts';
import { itPalette } from './palette.ts';
import { itPresets } from './presets.ts';
import { itImports } from './imports.ts';
import { itManage } from './manage.ts';
import { itOverview } from './overview.ts';
import { itPages } from './pages.ts';
import { itPreviews } from './previews.ts';
import { itSpaces } from './spaces.ts';
import { itStatus } from './status.ts';
import { itTools } from './tools.ts';
import { itTrail } from './trail.ts';
import { itWorking } from './working.ts';

export const itAreas: AreaWords = {
  administration: itAdministration,
  appearance: itAppearance,
  bulletin: itBulletin,
  compare: itCompare,
  context: itContext,
  drift: itDrift,
  engines: itEngines,
  folders: itFolders,
  palette: itPalette,
  presets: itPresets,
  imports: itImports,
  manage: itManage,
  overview: itOverview,
  pages: itPages,
  previews: itPreviews,
  spaces: itSpaces,
  status: itStatus,
  tools: itTools,
  trail: itTrail,
  working: itWorking,
};
