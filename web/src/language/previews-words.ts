import { enPreviews } from './en/previews.ts';
import { areaWords } from './language.tsx';

export const usePreviewsWords = areaWords('previews', enPreviews);
