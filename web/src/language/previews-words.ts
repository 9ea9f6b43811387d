import { enPreviews } from './en-previews.ts';
import { areaWords } from './language.tsx';

export const usePreviewsWords = areaWords(enPreviews, {
  de: async () => (await import('./de-previews.ts')).dePreviews,
});
