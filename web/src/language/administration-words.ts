import { enAdministration } from './en-administration.ts';
import { areaWords } from './language.tsx';

export const useAdministrationWords = areaWords(enAdministration, {
  de: async () => (await import('./de-administration.ts')).deAdministration,
});
