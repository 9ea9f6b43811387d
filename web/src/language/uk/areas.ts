import type { AreaWords } from '../areas.ts';
import { ukAdministration } from './administration.ts';
import { ukAppearance } from './appearance.ts';
import { ukBulletin } from './bulletin.ts';
import { ukCompare } from './compare.ts';
import { ukContext } from './context.ts';
import { ukDrift } from './drift.ts';
import { ukEngines } from './engines.ts';
import { ukFolders } from './folders.ts';
import { ukPalette } from './palette.ts';
import { ukPresets } from './presets.ts';
import { ukImports } from './imports.ts';
import { ukManage } from './manage.ts';
import { ukOverview } from './overview.ts';
import { ukPages } from './pages.ts';
import { ukPreviews } from './previews.ts';
import { ukSpaces } from './spaces.ts';
import { ukStatus } from './status.ts';
import { ukTools } from './tools.ts';
import { ukTrail } from './trail.ts';
import { ukWorking } from './working.ts';

export const ukAreas: AreaWords = {
  administration: ukAdministration,
  appearance: ukAppearance,
  bulletin: ukBulletin,
  compare: ukCompare,
  context: ukContext,
  drift: ukDrift,
  engines: ukEngines,
  folders: ukFolders,
  palette: ukPalette,
  presets: ukPresets,
  imports: ukImports,
  manage: ukManage,
  overview: ukOverview,
  pages: ukPages,
  previews: ukPreviews,
  spaces: ukSpaces,
  status: ukStatus,
  tools: ukTools,
  trail: ukTrail,
  working: ukWorking,
};
