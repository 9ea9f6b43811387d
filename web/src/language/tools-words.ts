import { enTools } from './en-tools.ts';
import { areaWords } from './language.tsx';

export const useToolsWords = areaWords(enTools, {
  de: async () => (await import('./de-tools.ts')).deTools,
});
