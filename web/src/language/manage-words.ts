import { enManage } from './en-manage.ts';
import { areaWords } from './language.tsx';

export const useManageWords = areaWords(enManage, {
  de: async () => (await import('./de-manage.ts')).deManage,
});
