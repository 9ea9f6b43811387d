import { enBulletin } from './en/bulletin.ts';
import { areaWords } from './language.tsx';

export const useBulletinWords = areaWords('bulletin', enBulletin);
