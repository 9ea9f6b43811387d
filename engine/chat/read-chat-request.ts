import type { ReasoningEffort } from '#vocabulary/catalogue';
import { Refusal } from '#vocabulary/refusal';
import type { JsonObject } from '../json-object.ts';
import type { EngineProfile } from '../engine-profile.ts';
import { readBoolean, readInteger, readObject, readString, wrong } from '../wire/read-field.ts';
import { readGeneration } from '../wire/read-generation.ts';
import type { GenerationRequest } from '../wire/read-generation.ts';
import { readMessages } from './read-messages.ts';
import type { TemplateMessage } from './read-messages.ts';
import { readShape } from './read-shape.ts';
import type { AnswerShape } from './read-shape.ts';
import { readTools } from './read-tools.ts';
import type { ToolWishes } from './read-tools.ts';

export interface ChatRequest extends GenerationRequest, ChatPromptRequest {
  readonly shape: AnswerShape | undefined;
  /** Top alternatives per token; undefined reports no log probabilities. */
  readonly alternatives: number | undefined;
  readonly reasoningForm: 'think-tags' | 'separate';
  readonly showsReasoning: boolean;
  readonly thinkingBudgetTokens: number | undefined;
  readonly echoesFinalMessage: boolean;
}

/** What the prompt is made of; also for counting tokens. */
export interface ChatPromptRequest {
  readonly messages: readonly TemplateMessage[];
  readonly tools: ToolWishes | undefined;
  readonly templateKwargs: Readonly<Record<string, unknown>>;
  readonly continuesFinalMessage: boolean;
  readonly addsGenerationPrompt: boolean;
}

export function readChatRequest(
  body: JsonObject,
  profile: EngineProfile,
  vocabularySize: number,
): ChatRequest {
  const separates = readBoolean(body, 'separate_reasoning');
  const prompt = readChatPrompt(body, profile);
  const effort = prompt.templateKwargs['reasoning_effort'];
  const generation = readGeneration(body, profile, vocabularySize);
  if (generation.maxTokens === 0) throw wrong('max_tokens', '"max_tokens" must be at least 1.');
  return {
    ...generation,
    ...prompt,
    shape: readShape(body),
    alternatives: readAlternatives(body),
    reasoningForm:
      separates === false || (separates === undefined && profile.reasoning === 'think-tags')
        ? 'think-tags'
        : 'separate',
    showsReasoning: readBoolean(body, 'include_reasoning') ?? true,
    thinkingBudgetTokens:
      readInteger(body, 'thinking_token_budget', { min: 0 }) ??
      (isEffort(effort) ? profile.thinkingBudgetTokens?.[effort] : undefined),
    echoesFinalMessage: prompt.continuesFinalMessage && readBoolean(body, 'echo') === true,
  };
}

export function readChatPrompt(body: JsonObject, profile: EngineProfile): ChatPromptRequest {
  const messages = readMessages(body);
  const continuesFinalMessage = readBoolean(body, 'continue_final_message') ?? false;
  const addsGenerationPrompt = readBoolean(body, 'add_generation_prompt');
  if (continuesFinalMessage && addsGenerationPrompt === true) {
    throw wrong(
      'continue_final_message',
      'Send either "continue_final_message" or "add_generation_prompt", not both.',
    );
  }
  if (continuesFinalMessage && messages.at(-1)?.role !== 'assistant') {
    throw wrong('continue_final_message', 'Only a last message of the role "assistant" can be continued.');
  }
  const effort = readEffort(body, profile);
  return {
    messages,
    tools: readTools(body, profile),
    templateKwargs: {
      ...(profile.reasoning === 'none' ? { enable_thinking: false } : { reasoning_effort: effort }),
      ...profile.templateKwargs,
      ...(body['reasoning_effort'] != null && { reasoning_effort: effort }),
      ...readObject(body, 'chat_template_kwargs'),
    },
    continuesFinalMessage,
    addsGenerationPrompt: addsGenerationPrompt ?? true,
  };
}

function readEffort(body: JsonObject, profile: EngineProfile): ReasoningEffort {
  const effort = readString(body, 'reasoning_effort');
  if (effort === undefined) return profile.defaultReasoningEffort;
  if (!profile.supportsReasoningEffort) {
    throw new Refusal(
      'unsupported_parameter',
      `The model "${profile.id}" does not take "reasoning_effort". Leave it out.`,
      { param: 'reasoning_effort' },
    );
  }
  if (!isEffort(effort)) throw wrong('reasoning_effort', '"reasoning_effort" must be low, medium or high.');
  return effort;
}

function isEffort(value: unknown): value is ReasoningEffort {
  return value === 'low' || value === 'medium' || value === 'high';
}

function readAlternatives(body: JsonObject): number | undefined {
  const isWanted = readBoolean(body, 'logprobs') ?? false;
  const count = readInteger(body, 'top_logprobs', { min: 0, max: 20 });
  if (count !== undefined && !isWanted) {
    throw wrong('top_logprobs', '"top_logprobs" needs "logprobs": true.');
  }
  return isWanted ? (count ?? 0) : undefined;
}
