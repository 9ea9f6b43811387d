import { enCompare } from './en-compare.ts';
import { areaWords } from './language.tsx';

export const useCompareWords = areaWords(enCompare, {
  de: async () => (await import('./de-compare.ts')).deCompare,
});
