import { enPalette } from './en/palette.ts';
import { areaWords } from './language.tsx';

export const usePaletteWords = areaWords('palette', enPalette);
