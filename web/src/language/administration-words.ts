import { enAdministration } from './en/administration.ts';
import { areaWords } from './language.tsx';

export const useAdministrationWords = areaWords('administration', enAdministration);
