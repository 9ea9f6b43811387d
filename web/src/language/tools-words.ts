import { enTools } from './en/tools.ts';
import { areaWords } from './language.tsx';

export const useToolsWords = areaWords('tools', enTools);
