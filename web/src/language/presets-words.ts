import { enPresets } from './en/presets.ts';
import { areaWords } from './language.tsx';

export const usePresetsWords = areaWords('presets', enPresets);
