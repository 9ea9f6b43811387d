import type { AreaWords } from '../areas.ts';
import { deAdministration } from './administration.ts';
import { deAppearance } from './appearance.ts';
import { deBulletin } from './bulletin.ts';
import { deCompare } from './compare.ts';
import { deContext } from './context.ts';
import { deDrift } from './drift.ts';
import { deEngines } from './engines.ts';
import { deFolders } from './folders.ts';
import { dePalette } from './palette.ts';
import { dePresets } from './presets.ts';
import { deImports } from './imports.ts';
import { deManage } from './manage.ts';
import { deOverview } from './overview.ts';
import { dePages } from './pages.ts';
import { dePreviews } from './previews.ts';
import { deSpaces } from './spaces.ts';
import { deStatus } from './status.ts';
import { deTools } from './tools.ts';
import { deTrail } from './trail.ts';
import { deWorking } from './working.ts';

export const deAreas: AreaWords = {
  administration: deAdministration,
  appearance: deAppearance,
  bulletin: deBulletin,
  compare: deCompare,
  context: deContext,
  drift: deDrift,
  engines: deEngines,
  folders: deFolders,
  palette: dePalette,
  presets: dePresets,
  imports: deImports,
  manage: deManage,
  overview: deOverview,
  pages: dePages,
  previews: dePreviews,
  spaces: deSpaces,
  status: deStatus,
  tools: deTools,
  trail: deTrail,
  working: deWorking,
};
