import { enSpaces } from './en/spaces.ts';
import { areaWords } from './language.tsx';

export const useSpacesWords = areaWords('spaces', enSpaces);
