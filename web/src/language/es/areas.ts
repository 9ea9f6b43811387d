import type { AreaWords } from '../areas.ts';
import { esAdministration } from './administration.ts';
import { esAppearance } from './appearance.ts';
import { esBulletin } from './bulletin.ts';
import { esCompare } from './compare.ts';
import { esContext } from './context.ts';
import { esDrift } from './drift.ts';
import { esEngines } from './engines.ts';
import { esFolders } from './folders.ts';
import { esPalette } from './palette.ts';
import { esPresets } from './presets.ts';
import { esImports } from './imports.ts';
import { esManage } from './manage.ts';
import { esOverview } from './overview.ts';
import { esPages } from './pages.ts';
import { esPreviews } from './previews.ts';
import { esSpaces } from './spaces.ts';
import { esStatus } from './status.ts';
import { esTools } from './tools.ts';
import { esTrail } from './trail.ts';
import { esWorking } from './working.ts';

export const esAreas: AreaWords = {
  administration: esAdministration,
  appearance: esAppearance,
  bulletin: esBulletin,
  compare: esCompare,
  context: esContext,
  drift: esDrift,
  engines: esEngines,
  folders: esFolders,
  palette: esPalette,
  presets: esPresets,
  imports: esImports,
  manage: esManage,
  overview: esOverview,
  pages: esPages,
  previews: esPreviews,
  spaces: esSpaces,
  status: esStatus,
  tools: esTools,
  trail: esTrail,
  working: esWorking,
};
