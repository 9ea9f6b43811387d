import type { InferenceEndpoint } from '#vocabulary/inference';
import { responsesTranslation } from './responses/responses.ts';
import type { Translation } from './translation.ts';

/** The dialects that are served for every model, by the endpoint at which they are spoken. */
const translations: ReadonlyMap<string, Translation> = new Map<InferenceEndpoint, Translation>([
  ['responses', responsesTranslation],
]);

export function translationFor(endpoint: InferenceEndpoint): Translation | undefined {
  return translations.get(endpoint);
}

/** In which dialect to refuse, before more than the path of a request is known. */
export function translationAt(path: string): Translation | undefined {
  for (const [endpoint, translation] of translations) if (path.endsWith(`/${endpoint}`)) return translation;
  return undefined;
}
