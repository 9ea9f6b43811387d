import { enOverview } from './en-overview.ts';
import { areaWords } from './language.tsx';

export const useOverviewWords = areaWords(enOverview, {
  de: async () => (await import('./de-overview.ts')).deOverview,
});
