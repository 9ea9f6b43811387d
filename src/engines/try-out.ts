import type { Pool } from 'undici';
import type { EngineTrial, ModelReplica } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { TokenUsage } from '#vocabulary/usage';
import { readSome } from './read-some.ts';
import { toldUsage } from './told-usage.ts';

const limitMs = 60_000;
const maxAnswerBytes = 64 * 1024;
const shownCharacters = 600;

/** A real question and the engine's own answer to it. Never throws: what went wrong is part of the trial. */
export async function tryOut(parts: {
  readonly line: { readonly pool: Pool; readonly prefix: string; readonly headers: string[] };
  readonly replica: ModelReplica;
  readonly onUsage: (usage: TokenUsage) => void;
  readonly clock: Clock;
}): Promise<EngineTrial> {
  const { line, replica, clock } = parts;
  const startedMs = clock.monotonicMs();
  const tookMs = () => Math.round(clock.monotonicMs() - startedMs);
  try {
    const response = await line.pool.request({
      path: `${line.prefix}/v1/chat/completions`,
      method: 'POST',
      headers: line.headers,
      body: JSON.stringify({
        model: replica.upstreamModel,
        messages: [{ role: 'user', content: 'Say hello in one short sentence.' }],
        max_tokens: 64,
        temperature: 0,
      }),
      signal: AbortSignal.timeout(limitMs),
    });
    const text = await readSome(response.body, maxAnswerBytes);
    if (response.statusCode !== 200)
      return { isWell: false, text: cut(`It answered ${response.statusCode}. ${text}`), tookMs: tookMs() };
    parts.onUsage(toldUsage(text));
    const words = wordsOf(text);
    return words === undefined
      ? { isWell: false, text: cut(`It answered something else: ${text}`), tookMs: tookMs() }
      : { isWell: true, text: cut(words), tookMs: tookMs() };
  } catch (cause) {
    const reason =
      cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : String(cause);
    return { isWell: false, text: cut(reason), tookMs: tookMs() };
  }
}

/** What a person would read: the answer, or the thinking of a model that thinks for longer than this trial. */
function wordsOf(body: string): string | undefined {
  try {
    const { choices } = JSON.parse(body) as { choices?: { message?: Record<string, unknown> }[] };
    const message = choices?.[0]?.message ?? {};
    const spoken = ['content', 'reasoning_content', 'reasoning'].map((field) => message[field]);
    return spoken.find((words): words is string => typeof words === 'string' && words.trim() !== '');
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters - 1)}…` : text;
}
