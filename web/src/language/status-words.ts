import { enStatus } from './en/status.ts';
import { areaWords } from './language.tsx';

export const useStatusWords = areaWords('status', enStatus);
