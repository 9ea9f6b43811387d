import { enAppearance } from './en/appearance.ts';
import { areaWords } from './language.tsx';

export const useAppearanceWords = areaWords('appearance', enAppearance);
