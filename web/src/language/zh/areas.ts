import type { AreaWords } from '../areas.ts';
import { zhAdministration } from './administration.ts';
import { zhAppearance } from './appearance.ts';
import { zhBulletin } from './bulletin.ts';
import { zhCompare } from './compare.ts';
import { zhContext } from './context.ts';
import { zhDrift } from './drift.ts';
import { zhEngines } from './engines.ts';
import { zhFolders } from './folders.ts';
import { zhPalette } from './palette.ts';
import { zhPresets } from './presets.ts';
import { zhImports } from './imports.ts';
import { zhManage } from './manage.ts';
import { zhOverview } from './overview.ts';
import { zhPages } from './pages.ts';
import { zhPreviews } from './previews.ts';
import { zhSpaces } from './spaces.ts';
import { zhStatus } from './status.ts';
import { zhTools } from './tools.ts';
import { zhTrail } from './trail.ts';
import { zhWorking } from './working.ts';

export const zhAreas: AreaWords = {
  administration: zhAdministration,
  appearance: zhAppearance,
  bulletin: zhBulletin,
  compare: zhCompare,
  context: zhContext,
  drift: zhDrift,
  engines: zhEngines,
  folders: zhFolders,
  palette: zhPalette,
  presets: zhPresets,
  imports: zhImports,
  manage: zhManage,
  overview: zhOverview,
  pages: zhPages,
  previews: zhPreviews,
  spaces: zhSpaces,
  status: zhStatus,
  tools: zhTools,
  trail: zhTrail,
  working: zhWorking,
};
