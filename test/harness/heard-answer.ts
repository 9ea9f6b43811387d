import { framesIn } from './http-client.ts';
import type { Chunk, Received, ReceivedStream } from './http-client.ts';

/** What a caller gets, put together from a whole answer or from the pieces of a stream. */
export interface Heard {
  readonly choices: readonly HeardChoice[];
  readonly usage: Record<string, unknown> | undefined;
}

export interface HeardChoice {
  readonly content: string;
  readonly reasoning: string;
  readonly reasoningContent: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly logprobs: readonly { readonly logprob: number; readonly top_logprobs: readonly unknown[] }[];
  readonly finish: string | undefined;
}

export function hearWhole(answer: Received): Heard {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return heardIn(answer.text);
}

export async function hearStream(answer: ReceivedStream): Promise<Heard> {
  const ended = await answer.ended;
  const text = answer.raw().toString();
  if (answer.status !== 200 || ended !== 'complete') throw new Error(`${answer.status}, ${ended}: ${text}`);
  return heardIn(text);
}

/** From the body of an answer, whichever of the two it is. */
export function heardIn(body: string): Heard {
  if (!body.startsWith('{')) {
    const frames = framesIn(body).filter((data) => data !== '[DONE]');
    return heardInChunks(
      frames.map((data) => ({ choices: [], ...(JSON.parse(data) as object) }) as unknown as Chunk),
    );
  }
  const { choices, usage } = JSON.parse(body) as WholeAnswer;
  return {
    choices: choices.map(({ message, text, logprobs, finish_reason: finish }) => ({
      content: message?.content ?? text ?? '',
      reasoning: message?.reasoning ?? '',
      reasoningContent: message?.reasoning_content ?? '',
      calls: (message?.tool_calls ?? []).map((call) => call.function),
      logprobs: logprobs?.content ?? [],
      finish,
    })),
    usage,
  };
}

function heardInChunks(chunks: readonly Chunk[]): Heard {
  const indexes = [...new Set(chunks.flatMap(({ choices }) => choices.map(({ index }) => index)))].sort(
    (left, right) => left - right,
  );
  return {
    choices: indexes.map((index) => hearChoice(chunks, index)),
    usage: chunks.map(({ usage }) => usage ?? undefined).findLast((usage) => usage !== undefined),
  };
}

function hearChoice(chunks: readonly Chunk[], index: number): HeardChoice {
  const parts = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
  const joined = (field: string) =>
    parts
      .map(
        ({ delta, text }) =>
          (delta?.[field] as string | null | undefined) ?? (field === 'content' ? text : '') ?? '',
      )
      .join('');
  const calls: { name: string; arguments: string }[] = [];
  for (const { delta } of parts)
    for (const call of (delta?.['tool_calls'] ?? []) as StreamedCall[]) {
      calls[call.index] ??= { name: '', arguments: '' };
      calls[call.index]!.name += call.function.name ?? '';
      calls[call.index]!.arguments += call.function.arguments ?? '';
    }
  return {
    content: joined('content'),
    reasoning: joined('reasoning'),
    reasoningContent: joined('reasoning_content'),
    calls,
    logprobs: parts.flatMap((part) => (part as { logprobs?: WholeLogprobs }).logprobs?.content ?? []),
    finish: parts.map(({ finish_reason: finish }) => finish).find((finish) => finish !== null) ?? undefined,
  };
}

interface StreamedCall {
  readonly index: number;
  readonly function: { readonly name?: string | null; readonly arguments?: string };
}

type WholeLogprobs = { readonly content: HeardChoice['logprobs'] } | null;

interface WholeAnswer {
  readonly choices: readonly {
    readonly text?: string;
    readonly message?: {
      readonly content: string | null;
      readonly reasoning?: string | null;
      readonly reasoning_content?: string | null;
      readonly tool_calls?: readonly { readonly function: { name: string; arguments: string } }[];
    };
    readonly logprobs?: WholeLogprobs;
    readonly finish_reason: string;
  }[];
  readonly usage: Record<string, unknown>;
}
