import { enBulletin } from './en-bulletin.ts';
import { areaWords } from './language.tsx';

export const useBulletinWords = areaWords(enBulletin, {
  de: async () => (await import('./de-bulletin.ts')).deBulletin,
});
