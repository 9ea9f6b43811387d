import { enOverview } from './en/overview.ts';
import { areaWords } from './language.tsx';

export const useOverviewWords = areaWords('overview', enOverview);
