import { enContext } from './en/context.ts';
import { areaWords } from './language.tsx';

export const useContextWords = areaWords('context', enContext);
