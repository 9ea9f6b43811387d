import { enTrail } from './en/trail.ts';
import { areaWords } from './language.tsx';

export const useTrailWords = areaWords('trail', enTrail);
