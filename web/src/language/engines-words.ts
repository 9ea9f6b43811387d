import { enEngines } from './en-engines.ts';
import { areaWords } from './language.tsx';

export const useEnginesWords = areaWords(enEngines, {
  de: async () => (await import('./de-engines.ts')).deEngines,
});
