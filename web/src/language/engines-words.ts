import { enEngines } from './en/engines.ts';
import { areaWords } from './language.tsx';

export const useEnginesWords = areaWords('engines', enEngines);
