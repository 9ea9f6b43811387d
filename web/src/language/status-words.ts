import { enStatus } from './en-status.ts';
import { areaWords } from './language.tsx';

export const useStatusWords = areaWords(enStatus, {
  de: async () => (await import('./de-status.ts')).deStatus,
});
