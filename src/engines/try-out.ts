import type { EngineDefinition, EngineTrial, UnservedTrial } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { TokenUsage } from '#vocabulary/usage';
import { createEngineLine, type EngineLine } from './engine-line.ts';
import { isOtherKind } from './judge-probe.ts';
import { readSome } from './read-some.ts';
import { toldUsage } from './told-usage.ts';

const limitMs = 60_000;
const listLimitMs = 10_000;
const maxAnswerBytes = 64 * 1024;
const maxListBytes = 1024 * 1024;
const shownCharacters = 600;

/** A real question and the engine's own answer to it. Never throws: what went wrong is part of the trial. */
export async function tryOut(parts: {
  readonly line: Pick<EngineLine, 'pool' | 'prefix' | 'headers'>;
  readonly upstreamModel: string;
  readonly onUsage: (usage: TokenUsage) => void;
  readonly clock: Clock;
}): Promise<EngineTrial> {
  const { line, clock } = parts;
  const startedMs = clock.monotonicMs();
  const tookMs = () => Math.round(clock.monotonicMs() - startedMs);
  try {
    const chat = await askOnce(line, 'chat/completions', {
      model: parts.upstreamModel,
      messages: [{ role: 'user', content: 'Say hello in one short sentence.' }],
      max_tokens: 64,
      temperature: 0,
    });
    // A model that makes vectors does not chat, and says so in many ways.
    const vectors =
      isOtherKind(chat.status) &&
      (await askOnce(line, 'embeddings', { model: parts.upstreamModel, input: 'Hello.' }));
    const { status, text } = vectors !== false && vectors.status === 200 ? vectors : chat;
    if (status !== 200)
      return { isWell: false, text: cut(`It answered ${status}. ${text}`), tookMs: tookMs() };
    parts.onUsage(toldUsage(text));
    const words = wordsOf(text) ?? vectorOf(text);
    return words === undefined
      ? { isWell: false, text: cut(`It answered something else: ${text}`), tookMs: tookMs() }
      : { isWell: true, text: cut(words), tookMs: tookMs() };
  } catch (cause) {
    return { isWell: false, text: cut(reasonOf(cause)), tookMs: tookMs() };
  }
}

async function askOnce(
  line: Pick<EngineLine, 'pool' | 'prefix' | 'headers'>,
  endpoint: string,
  question: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await line.pool.request({
    path: `${line.prefix}/v1/${endpoint}`,
    method: 'POST',
    headers: line.headers,
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(limitMs),
  });
  return { status: response.statusCode, text: await readSome(response.body, maxAnswerBytes) };
}

/** The same with an engine that is not served: its line ends with the answer. Never throws. */
export async function tryOutUnserved(parts: {
  readonly engine: EngineDefinition;
  /** The name by which the engine knows the model; undefined: the first of those that it names. */
  readonly upstreamModel: string | undefined;
  readonly onUsage: (usage: TokenUsage) => void;
  readonly clock: Clock;
}): Promise<UnservedTrial> {
  const line = createEngineLine(parts.engine, parts.clock);
  try {
    const upstreamModel = parts.upstreamModel ?? (await firstModel(line));
    if (upstreamModel === undefined)
      return { isWell: false, text: 'It names no model.', tookMs: 0, upstreamModel };
    return { ...(await tryOut({ ...parts, line, upstreamModel })), upstreamModel };
  } catch (cause) {
    return { isWell: false, text: cut(reasonOf(cause)), tookMs: 0, upstreamModel: undefined };
  } finally {
    line.wire.destroy();
    await line.pool.destroy();
  }
}

async function firstModel(
  line: Pick<EngineLine, 'pool' | 'prefix' | 'headers'>,
): Promise<string | undefined> {
  const response = await line.pool.request({
    path: `${line.prefix}/v1/models`,
    method: 'GET',
    headers: line.headers,
    signal: AbortSignal.timeout(listLimitMs),
  });
  const text = await readSome(response.body, maxListBytes);
  if (response.statusCode !== 200) throw new Error(`It answered ${response.statusCode}. ${text}`);
  return idsOf(text)[0];
}

function idsOf(list: string): string[] {
  try {
    const { data } = JSON.parse(list) as { data?: unknown };
    const entries = Array.isArray(data) ? (data as { id?: unknown }[]) : [];
    return entries.map((entry) => entry?.id).filter((id) => typeof id === 'string');
  } catch {
    return [];
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : String(cause);
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

function vectorOf(body: string): string | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: { embedding?: unknown }[] };
    const vector = data?.[0]?.embedding;
    return Array.isArray(vector) ? `It makes vectors of ${vector.length} numbers.` : undefined;
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters - 1)}…` : text;
}
