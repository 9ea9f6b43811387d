import { enManage } from './en/manage.ts';
import { areaWords } from './language.tsx';

export const useManageWords = areaWords('manage', enManage);
