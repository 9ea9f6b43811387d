import { enDrift } from './en/drift.ts';
import { areaWords } from './language.tsx';

export const useDriftWords = areaWords('drift', enDrift);
