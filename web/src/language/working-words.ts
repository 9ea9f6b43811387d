import { enWorking } from './en-working.ts';
import { areaWords } from './language.tsx';

export const useWorkingWords = areaWords(enWorking, {
  de: async () => (await import('./de-working.ts')).deWorking,
});
