import type { Logger } from '#vocabulary/logger';
import type { JsonObject } from '../json-object.ts';
import { answerChat } from '../chat/answer-chat.ts';
import type { ChatTemplate } from '../chat/chat-template.ts';
import { planChat } from '../chat/plan-chat.ts';
import { readChatRequest } from '../chat/read-chat-request.ts';
import { renderChat } from '../chat/render-chat.ts';
import type { TokenTable } from '../constraint/token-table.ts';
import type { EngineProfile } from '../engine-profile.ts';
import { createCompiledShapes } from '../generation/compiled-shapes.ts';
import type { LoadedModel } from '../native/loaded-model.ts';
import type { StepLoop } from '../scheduler/step-loop.ts';
import { answerText } from '../text/answer-text.ts';
import { encodePrompts } from '../text/encode-prompts.ts';
import { planText } from '../text/plan-text.ts';
import { readTextRequest } from '../text/read-text-request.ts';
import { answerEmbeddings } from './answer-embeddings.ts';
import { answerDetokenize, answerTokenize } from './answer-tokens.ts';
import { contextTokensOf } from './context-limit.ts';
import type { EngineReply } from './engine-reply.ts';
import { writeMetrics } from './metrics.ts';
import { listModels, showModel } from './models.ts';
import { chooseProfile } from './read-generation.ts';

export interface EndpointParts {
  readonly model: LoadedModel;
  readonly loop: StepLoop;
  readonly profiles: () => readonly EngineProfile[];
  readonly template: ChatTemplate;
  readonly tokenTable: () => TokenTable;
  readonly logger: Logger;
}

export type GetEndpoint = (reply: EngineReply) => void;
export type PostEndpoint = (body: JsonObject, reply: EngineReply) => void | Promise<void>;

/** What the engine answers, by path without `/v1`. */
export interface Endpoints {
  get(path: string): GetEndpoint | undefined;
  post(path: string): PostEndpoint | undefined;
}

export function createEndpoints(parts: EndpointParts): Endpoints {
  const { model, loop, profiles, template } = parts;
  const { tokenizer } = model;
  const { contextTokens } = model.facts;
  const tools = { loop, tokenizer, tokenTable: parts.tokenTable };
  const planParts = {
    template,
    tokenizer,
    contextTokens,
    shapes: createCompiledShapes(),
    endTokens: Array.from({ length: tokenizer.vocabularySize }, (_unused, token) => token).filter((token) =>
      tokenizer.isEnd(token),
    ),
  };
  const startedAt = Math.floor(Date.now() / 1000);

  const gets = new Map<string, GetEndpoint>([
    ['/health', (reply) => reply.json(200, { status: 'ok' })],
    [
      '/metrics',
      (reply) => reply.text(200, 'text/plain; version=0.0.4', writeMetrics(loop.counts(), model.facts)),
    ],
    ['/models', (reply) => reply.json(200, listModels(profiles(), model.facts, startedAt))],
  ]);
  const posts = new Map<string, PostEndpoint>([
    [
      '/chat/completions',
      async (body, reply) => {
        const request = readChatRequest(body, chooseProfile(body, profiles()), tokenizer.vocabularySize);
        const prompt = await renderChat(request, planParts, contextTokensOf(request.profile, contextTokens));
        answerChat(request, planChat(request, prompt, planParts), { ...tools, template }, reply);
      },
    ],
    [
      '/completions',
      async (body, reply) => {
        const request = readTextRequest(body, chooseProfile(body, profiles()), tokenizer.vocabularySize);
        const prompts = await encodePrompts(
          request,
          tokenizer,
          contextTokensOf(request.profile, contextTokens),
        );
        answerText(request, planText(request, prompts, planParts), tools, reply);
      },
    ],
    ['/embeddings', (body, reply) => answerEmbeddings(body, chooseProfile(body, profiles()), parts, reply)],
    ['/tokenize', (body, reply) => answerTokenize(body, chooseProfile(body, profiles()), planParts, reply)],
    ['/detokenize', (body, reply) => answerDetokenize(body, tokenizer, reply)],
  ]);

  return {
    get: (path) =>
      path.startsWith('/models/')
        ? (reply) =>
            reply.json(200, showModel(path.slice('/models/'.length), profiles(), model.facts, startedAt))
        : gets.get(path),
    post: (path) => posts.get(path),
  };
}
