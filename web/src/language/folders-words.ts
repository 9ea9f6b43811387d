import { enFolders } from './en/folders.ts';
import { areaWords } from './language.tsx';

export const useFoldersWords = areaWords('folders', enFolders);
