import { enAppearance } from './en-appearance.ts';
import { areaWords } from './language.tsx';

export const useAppearanceWords = areaWords(enAppearance, {
  de: async () => (await import('./de-appearance.ts')).deAppearance,
});
