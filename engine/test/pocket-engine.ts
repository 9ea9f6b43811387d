import { fileURLToPath } from 'node:url';
import { startEngineProgram } from '../engine-program.ts';
import type { EngineProgram } from '../engine-program.ts';
import type { EngineProfile } from '../engine-profile.ts';
import { createLineLogger } from '../line-logger.ts';

export const pocketFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));

const thinkingBudgetTokens = { low: 64, medium: 160, high: 320 };

/** The three ids of the service, as the gateway would hand them over. */
export const pocketProfiles: readonly EngineProfile[] = [
  {
    id: 'alpha-R1',
    reasoning: 'think-tags',
    supportsTools: false,
    supportsReasoningEffort: false,
    defaultReasoningEffort: 'high',
    templateKwargs: { reasoning_effort: 'high' },
    thinkingBudgetTokens,
    samplingDefaults: {},
  },
  {
    id: 'beta-4-scout',
    reasoning: 'none',
    supportsTools: true,
    supportsReasoningEffort: false,
    defaultReasoningEffort: 'medium',
    templateKwargs: { enable_thinking: false },
    samplingDefaults: {},
  },
  {
    id: 'gamma-oss-120b',
    reasoning: 'separate',
    supportsTools: true,
    supportsReasoningEffort: true,
    defaultReasoningEffort: 'medium',
    templateKwargs: {},
    thinkingBudgetTokens,
    samplingDefaults: {},
  },
];

export interface ChatAnswer {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly text: string;
    readonly message: {
      readonly content: string | null;
      readonly reasoning?: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly ToolCall[];
    };
    readonly logprobs: Logprobs | null;
    readonly finish_reason: string;
    readonly stop_reason: string | number | null;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
    readonly completion_tokens_details: { readonly reasoning_tokens: number };
  };
}

export interface ToolCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface Logprobs {
  readonly content: readonly {
    token: string;
    logprob: number;
    top_logprobs: { token: string; logprob: number }[];
  }[];
  readonly tokens: readonly string[];
  readonly token_logprobs: readonly (number | null)[];
}

export interface StreamChunk {
  readonly id: string;
  readonly choices: readonly {
    readonly index: number;
    readonly text?: string;
    readonly delta: {
      readonly role?: string;
      readonly content?: string;
      readonly reasoning?: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly (Partial<ToolCall> & { index: number })[];
    };
    readonly logprobs: Logprobs | null;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: ChatAnswer['usage'];
}

export interface PocketEngine extends EngineProgram {
  post(path: string, body: object, signal?: AbortSignal): Promise<{ status: number; body: unknown }>;
  chat(body: object): Promise<ChatAnswer>;
  complete(body: object): Promise<ChatAnswer>;
  stream(path: string, body: object, signal?: AbortSignal): AsyncGenerator<StreamChunk>;
  metric(name: string): Promise<number>;
}

export async function startPocketEngine(
  options: { readonly slots?: number; readonly maxWaiting?: number } = {},
): Promise<PocketEngine> {
  const program = await startEngineProgram({
    modelFile: pocketFile,
    listen: { host: '127.0.0.1', port: 0 },
    threads: 1,
    slots: options.slots ?? 8,
    contextTokens: 'auto',
    gpu: 'off',
    profiles: pocketProfiles,
    logger: createLineLogger(process.stderr),
    onBroken: (error) => {
      throw error;
    },
    ...(options.maxWaiting !== undefined && { maxWaiting: options.maxWaiting }),
  });

  const send = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${program.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    });

  async function post(path: string, body: object, signal?: AbortSignal): ReturnType<PocketEngine['post']> {
    const response = await send(path, body, signal);
    return { status: response.status, body: await response.json() };
  }

  async function answer(path: string, body: object): Promise<ChatAnswer> {
    const reply = await post(path, body);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body as ChatAnswer;
  }

  return {
    ...program,
    post,
    chat: (body) => answer('/v1/chat/completions', body),
    complete: (body) => answer('/v1/completions', body),
    stream: async function* stream(path, body, signal) {
      const response = await send(path, { ...body, stream: true }, signal);
      if (response.status !== 200 || response.body === null) throw new Error(await response.text());
      let text = '';
      for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
        text += bytes;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          if (event !== 'data: [DONE]') yield JSON.parse(event.replace(/^data: /, '')) as StreamChunk;
        }
      }
    },
    metric: async (name) => {
      const text = await (await fetch(`${program.address}/metrics`)).text();
      return Number(new RegExp(`^gatehouse_engine_${name} (.*)$`, 'm').exec(text)?.[1]);
    },
  };
}

/** A text of about this many tokens that says nothing in particular: every digit and every space is one. */
export function longText(tokens: number): string {
  return Array.from({ length: Math.floor(tokens / 4) }, (_unused, index) => 100 + ((index * 137) % 900)).join(
    ' ',
  );
}
