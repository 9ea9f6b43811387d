import type { AreaWords } from '../areas.ts';
import { arAdministration } from './administration.ts';
import { arAppearance } from './appearance.ts';
import { arBulletin } from './bulletin.ts';
import { arCompare } from './compare.ts';
import { arContext } from './context.ts';
import { arDrift } from './drift.ts';
import { arEngines } from './engines.ts';
import { arFolders } from './folders.ts';
import { arPalette } from './palette.ts';
import { arPresets } from './presets.ts';
import { arImports } from './imports.ts';
import { arManage } from './manage.ts';
import { arOverview } from './overview.ts';
import { arPages } from './pages.ts';
import { arPreviews } from './previews.ts';
import { arSpaces } from './spaces.ts';
import { arStatus } from './status.ts';
import { arTools } from './tools.ts';
import { arTrail } from './trail.ts';
import { arWorking } from './working.ts';

export const arAreas: AreaWords = {
  administration: arAdministration,
  appearance: arAppearance,
  bulletin: arBulletin,
  compare: arCompare,
  context: arContext,
  drift: arDrift,
  engines: arEngines,
  folders: arFolders,
  palette: arPalette,
  presets: arPresets,
  imports: arImports,
  manage: arManage,
  overview: arOverview,
  pages: arPages,
  previews: arPreviews,
  spaces: arSpaces,
  status: arStatus,
  tools: arTools,
  trail: arTrail,
  working: arWorking,
};
