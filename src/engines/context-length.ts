/** The context length of a model in an engine's own model list; undefined when the list does not say. */
export function readContextTokens(listText: string, upstreamModel: string): number | undefined {
  const list = JSON.parse(listText) as { data?: unknown };
  if (!Array.isArray(list.data)) return undefined;
  const entries = list.data as Record<string, unknown>[];
  const entry =
    entries.find(({ id }) => id === upstreamModel) ?? (entries.length === 1 ? entries[0] : undefined);
  const meta = entry?.['meta'] as Record<string, unknown> | undefined;
  // llama-server tells what one request may use, and in older releases only what the model was trained for.
  return [entry?.['max_model_len'], meta?.['n_ctx'], meta?.['n_ctx_train']].find(isLength);
}

function isLength(tokens: unknown): tokens is number {
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0;
}
