import { enWorking } from './en/working.ts';
import { areaWords } from './language.tsx';

export const useWorkingWords = areaWords('working', enWorking);
