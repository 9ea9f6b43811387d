import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** One who asks through the proxy door and listens to the stream. */
export interface Asker {
  readonly key: string;
  /** Questions at once. */
  readonly width: number;
  readonly thinkMs: () => number;
  readonly question: () => { readonly words: string; readonly maxTokens: number };
}

export interface Heard {
  /** Monotonic. */
  readonly begunMs: number;
  readonly firstTokenMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

const agent = new Agent({ connections: 1024, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });

/** Everybody asks for so long. Whoever still waits then counts with the wait so far, and without tokens. */
export async function listenFor(
  url: string,
  model: string,
  seconds: number,
  askers: readonly Asker[],
): Promise<Heard[][]> {
  const ending = new AbortController();
  const heard = askers.map((): Heard[] => []);
  const all = askers.flatMap((asker, index) =>
    Array.from({ length: asker.width }, () => askOn(asker, heard[index] ?? [])),
  );
  await pause(seconds * 1000);
  ending.abort();
  await Promise.all(all);
  return heard;

  async function askOn(asker: Asker, into: Heard[]): Promise<void> {
    while (!ending.signal.aborted) {
      const begunMs = performance.now();
      let firstTokenMs: number | undefined;
      try {
        into.push(await askOnce(asker, begunMs, (atMs) => (firstTokenMs = atMs)));
        await pause(asker.thinkMs(), undefined, { signal: ending.signal });
      } catch (error) {
        if (!ending.signal.aborted) throw error;
        const waitedMs = performance.now() - begunMs;
        if (firstTokenMs === undefined && into.at(-1)?.begunMs !== begunMs)
          into.push({ begunMs, firstTokenMs: waitedMs, inputTokens: 0, outputTokens: 0, cachedTokens: 0 });
      }
    }
  }

  async function askOnce(
    { key, question }: Asker,
    begunMs: number,
    begins: (firstTokenMs: number) => void,
  ): Promise<Heard> {
    const { words, maxTokens } = question();
    const { statusCode, body } = await request(`${url}/api/chat/completions`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `bearer ${key}` },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: words }],
        max_tokens: maxTokens,
        temperature: 0,
        stream: true,
        stream_options: { include_usage: true },
      }),
      signal: ending.signal,
    });
    let firstTokenMs = Number.NaN;
    let tail = '';
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const text = chunk.toString('latin1');
      if (Number.isNaN(firstTokenMs) && /"content":"[^"]/.test(text)) {
        firstTokenMs = performance.now() - begunMs;
        begins(firstTokenMs);
      }
      tail = (tail + text).slice(-4096);
    }
    if (statusCode !== 200) throw new Error(`Answered with ${statusCode}: ${tail}`);
    const told = /"usage":(\{.*\})\}/.exec(tail.slice(tail.lastIndexOf('"usage":{')));
    const usage = JSON.parse(told?.[1] ?? '{}') as Usage;
    return {
      begunMs,
      firstTokenMs,
      inputTokens: usage.prompt_tokens ?? 0,
      outputTokens: usage.completion_tokens ?? 0,
      cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    };
  }
}

interface Usage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number };
}
