import { enImports } from './en/imports.ts';
import { areaWords } from './language.tsx';

export const useImportsWords = areaWords('imports', enImports);
