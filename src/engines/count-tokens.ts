import type { Dispatcher } from 'undici';
import { isObject, type JsonObject } from '#dialects/json-object';
import type { BegunAnswer } from '#vocabulary/begun-answer';
import type { EngineKind } from '#vocabulary/catalogue';
import type { Route } from '#vocabulary/inference';
import type { Countable } from '#vocabulary/token-count';
import { writtenBy } from './continuation.ts';
import { readSome } from './read-some.ts';

const countingMs = 1000;
/** Engines answer with every token, not only with how many there are. */
const maxAnswerBytes = 16 * 1024 * 1024;

interface CountingLine {
  readonly pool: Pick<Dispatcher, 'request'>;
  readonly prefix: string;
  readonly headers: string[];
}

/** Asks an engine how many tokens a text or a chat has; undefined when it does not tell at once. */
export async function countTokens(
  line: CountingLine,
  address: string,
  kind: EngineKind,
  model: string,
  counted: Countable,
): Promise<number | undefined> {
  try {
    const question = await questionOf(line, kind, model, counted);
    if (question === undefined) return undefined;
    const { count, tokens } = await asked(line, address, question);
    if (typeof count === 'number') return count;
    return Array.isArray(tokens) ? tokens.length : undefined;
  } catch {
    // Then an estimate has to do.
    return undefined;
  }
}

/** Throws when the engine does not answer at once with an object. */
async function asked(line: CountingLine, address: string, question: object): Promise<JsonObject> {
  const response = await line.pool.request({
    path: line.prefix + address,
    method: 'POST',
    headers: line.headers,
    body: JSON.stringify(question),
    headersTimeout: countingMs,
    bodyTimeout: countingMs,
  });
  const answer: unknown = JSON.parse(await readSome(response.body, maxAnswerBytes));
  if (response.statusCode !== 200 || !isObject(answer))
    throw new Error('no answer to a question of counting');
  return answer;
}

/** The answer with the engine's own count of what was written; as it was when the engine does not tell. */
export async function withCount(
  line: CountingLine,
  address: string | undefined,
  { engine, replica }: Route,
  begun: BegunAnswer,
): Promise<BegunAnswer> {
  const text = writtenBy(begun);
  if (text === '' || address === undefined) return begun;
  const outputTokens = await countTokens(line, address, engine.kind, replica.upstreamModel, text);
  return outputTokens === undefined ? begun : { ...begun, outputTokens };
}

/** vLLM and the embedded engine write a chat by its template themselves, llama-server when asked, SGLang never. */
async function questionOf(
  line: CountingLine,
  kind: EngineKind,
  model: string,
  counted: Countable,
): Promise<object | undefined> {
  if (kind === 'llama-server') {
    if (typeof counted === 'string') return { model, content: counted, add_special: false };
    const { prompt } = await asked(line, '/apply-template', { model, ...counted });
    // As its chat completions read what the template has written.
    return typeof prompt === 'string'
      ? { model, content: prompt, add_special: true, parse_special: true }
      : undefined;
  }
  if (typeof counted === 'string') return { model, prompt: counted, add_special_tokens: false };
  return kind === 'vllm' || kind === 'embedded' ? { model, ...counted } : undefined;
}
