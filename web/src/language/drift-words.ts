import { enDrift } from './en-drift.ts';
import { areaWords } from './language.tsx';

export const useDriftWords = areaWords(enDrift, {
  de: async () => (await import('./de-drift.ts')).deDrift,
});
