import type { Exchange } from '#vocabulary/exchange';
import type { InferenceEndpoint } from '#vocabulary/inference';
import { countTokensTranslation, messagesTranslation } from './messages/messages.ts';
import { responsesTranslation } from './responses/responses.ts';
import type { Translation } from './translation.ts';

/** The dialects that are served for every model, by the endpoint at which they are spoken. */
const translations: ReadonlyMap<string, Translation> = new Map<InferenceEndpoint, Translation>([
  ['responses', responsesTranslation],
  ['messages', messagesTranslation],
  ['messages/count_tokens', countTokensTranslation],
]);

export function translationFor(endpoint: InferenceEndpoint): Translation | undefined {
  return translations.get(endpoint);
}

/** In which dialect to refuse, before more than the head of a request is known. */
export function translationAt({
  path,
  headers,
}: Pick<Exchange, 'path' | 'headers'>): Translation | undefined {
  // The console has messages of its own.
  if (path.startsWith('/console/')) return undefined;
  for (const [endpoint, translation] of translations) if (path.endsWith(`/${endpoint}`)) return translation;
  // Clients of this dialect say so, also where they ask for the list of models.
  return headers['anthropic-version'] === undefined ? undefined : messagesTranslation;
}
