import type { Dispatcher } from 'undici';
import { isObject } from '#dialects/json-object';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { Route } from '#vocabulary/inference';
import { writtenBy } from './continuation.ts';

const countingMs = 1000;

/** Asks an engine how many tokens an answer has so far; undefined when it does not tell at once. */
export async function countTokens(
  line: { readonly pool: Pick<Dispatcher, 'request'>; readonly prefix: string; readonly headers: string[] },
  address: string,
  { engine, replica }: Route,
  begun: BegunAnswer,
): Promise<number | undefined> {
  const text = writtenBy(begun);
  if (text === '') return undefined;
  const question =
    engine.kind === 'llama-server'
      ? { content: text, add_special: false }
      : { model: replica.upstreamModel, prompt: text, add_special_tokens: false };
  try {
    const response = await line.pool.request({
      path: line.prefix + address,
      method: 'POST',
      headers: line.headers,
      body: JSON.stringify(question),
      headersTimeout: countingMs,
      bodyTimeout: countingMs,
    });
    const answer: unknown = JSON.parse(await response.body.text());
    if (response.statusCode !== 200 || !isObject(answer)) return undefined;
    if (typeof answer.count === 'number') return answer.count;
    return Array.isArray(answer.tokens) ? answer.tokens.length : undefined;
  } catch {
    // Then the frames have to do.
    return undefined;
  }
}
