import { enCompare } from './en/compare.ts';
import { areaWords } from './language.tsx';

export const useCompareWords = areaWords('compare', enCompare);
