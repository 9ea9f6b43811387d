import { Refusal } from '#vocabulary/refusal';
import { choice, literal, optional, repeated, sequence } from '../constraint/constraint.ts';
import type { Constraint } from '../constraint/constraint.ts';
import type { BegunAnswer, CallRules } from '../generation/answer-guide.ts';
import type { AnswerPlan } from '../generation/answer-plan.ts';
import { shapeOf } from '../generation/compiled-shapes.ts';
import type { CompiledShapes } from '../generation/compiled-shapes.ts';
import type { ThinkingRules } from '../generation/thinking-budget.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import { toolCallFormatOf } from '../output/tool-call-formats.ts';
import type { ToolCallFormat } from '../output/tool-call-format.ts';
import { contextTokensOf, fitIntoContext } from '../wire/context-limit.ts';
import type { ChatTemplate, RenderedPrompt } from './chat-template.ts';
import type { ChatRequest } from './read-chat-request.ts';
import type { DeclaredTool, ToolWishes } from './read-tools.ts';

export interface ChatPlanParts {
  readonly template: ChatTemplate;
  readonly tokenizer: Tokenizer;
  readonly contextTokens: number;
  readonly endTokens: readonly number[];
  readonly shapes: CompiledShapes;
}

const thoughtMarkers = { open: '<think>', close: '</think>' };

/** Decides everything about a chat answer before its first token. Throws a `Refusal`. */
export function planChat(request: ChatRequest, prompt: RenderedPrompt, parts: ChatPlanParts): AnswerPlan {
  const { template, tokenizer } = parts;
  const contextTokens = contextTokensOf(request.profile, parts.contextTokens);
  const wantedTokens = request.maxTokens === 0 ? 1 : request.maxTokens;
  const maxTokens = fitIntoContext(prompt.tokens.length, wantedTokens, contextTokens, 'messages');

  const format = toolCallFormatOf(template.source);
  const knowsThoughts = template.source.includes(thoughtMarkers.close);
  const mayThink = knowsThoughts && request.templateKwargs['enable_thinking'] !== false;
  const openThought = knowsThoughts ? openThoughtOf(request) : undefined;
  const opensThought =
    knowsThoughts &&
    prompt.text.lastIndexOf(thoughtMarkers.open) > prompt.text.lastIndexOf(thoughtMarkers.close) &&
    prompt.text.trimEnd().endsWith(thoughtMarkers.open);

  return {
    promptTokens: prompt.tokens,
    cacheSalt: request.cacheSalt,
    member: request.member,
    choiceCount: request.choiceCount,
    sampling: request.sampling,
    alternatives: request.alternatives,
    scoresPrompt: false,
    rules: {
      maxTokens,
      minTokens: request.minTokens,
      begun: opensThought ? undefined : begunAnswer(request, openThought, tokenizer),
      thinking: mayThink ? thinkingRules(request.thinkingBudgetTokens, tokenizer) : undefined,
      shape: shapeOf(request.shape, parts.shapes),
      calls: request.tools === undefined ? undefined : callRules(request.tools, format, parts),
      endTokens: parts.endTokens,
      bannedTokens: [
        ...(request.ignoresEnd ? parts.endTokens : []),
        ...(mayThink ? [] : markerToken(thoughtMarkers.open, tokenizer)),
        ...(request.tools !== undefined || format === undefined || format.opensOnlyFirst
          ? []
          : markerToken(format.openMarker, tokenizer)),
      ],
    },
    output: {
      thought: knowsThoughts ? thoughtMarkers : undefined,
      startsInThought: opensThought || openThought !== undefined,
      hasAnswered: openThought === undefined && begunText(request) !== '',
      calls: request.tools === undefined ? undefined : format,
      stops: request.stops,
    },
    endsAtEndToken: !request.ignoresEnd,
    stopTokens: request.stopTokens,
    // Where the template opens the thought, the model does not.
    expectedText: opensThought ? request.expectedText?.replace(/^<think>\n?/, '') : request.expectedText,
  };
}

/** The words of a thought that the last message leaves open. */
export function openThoughtOf(request: ChatRequest): string | undefined {
  if (!request.continuesFinalMessage) return undefined;
  const content = request.messages.at(-1)?.content.trim() ?? '';
  const isOpen = content.startsWith(thoughtMarkers.open) && !content.includes(thoughtMarkers.close);
  const words = isOpen ? content.slice(thoughtMarkers.open.length).trim() : '';
  return words === '' ? undefined : words;
}

function begunText(request: ChatRequest): string {
  return request.continuesFinalMessage ? (request.messages.at(-1)?.content.trimEnd() ?? '') : '';
}

function begunAnswer(
  request: ChatRequest,
  openThought: string | undefined,
  tokenizer: Tokenizer,
): BegunAnswer {
  if (openThought === undefined) return { thoughtTokens: 0, text: begunText(request) };
  const thoughtTokens = tokenizer.encode(`${thoughtMarkers.open}\n${openThought}`, true).length;
  return { thoughtTokens, text: '' };
}

function thinkingRules(budgetTokens: number | undefined, tokenizer: Tokenizer): ThinkingRules {
  return {
    openTokens: tokenizer.encode(thoughtMarkers.open, true),
    closeText: `${thoughtMarkers.close}\n\n`,
    budgetTokens,
  };
}

/** Only markers that are one token can be kept from being written without forbidding ordinary text. */
function markerToken(marker: string, tokenizer: Tokenizer): readonly number[] {
  const token = tokenizer.tokenOf(marker);
  return token === undefined ? [] : [token];
}

function callRules(
  tools: ToolWishes,
  format: ToolCallFormat | undefined,
  { tokenizer, shapes }: ChatPlanParts,
): CallRules {
  if (format === undefined) {
    throw new Refusal('not_supported_by_engine', "This model's chat template does not know tools.", {
      param: 'tools',
    });
  }
  const { declared, callable, mayRepeat } = tools;
  return {
    body: shapes.recall(`calls ${mayRepeat} ${JSON.stringify(callable)}`, () => {
      const calls = callable.map((tool) => callBody(tool, declared.indexOf(tool), format, shapes));
      return callsBody(choice(calls), format, mayRepeat);
    }),
    openTokens: tokenizer.encode(format.openMarker, true),
    closeText: closeTextOf(format),
    isRequired: tools.isRequired,
    mayRepeat,
    endsAnswer: format.closeMarker === '',
  };
}

/** Where calls are separated, more of them may follow instead of the closing marker: nothing is certain. */
function closeTextOf({ separator, beforeClose, closeMarker }: ToolCallFormat): string {
  return separator === undefined ? `${beforeClose}${closeMarker}` : '';
}

/** What follows the opening marker. A token may hold the end of the arguments and the beginning of what closes. */
function callsBody(call: Constraint, format: ToolCallFormat, mayRepeat: boolean): Constraint {
  const { separator, closeMarker, opensOnlyFirst } = format;
  // A marker that is text may have been written with or without the space after it.
  const opening = opensOnlyFirst ? optional(literal(format.afterOpen)) : literal(format.afterOpen);
  if (separator === undefined) return sequence([opening, call, literal(closeTextOf(format))]);
  const more = mayRepeat ? [repeated(sequence([literal(`${separator} `), call]))] : [];
  return sequence([opening, call, ...more, literal(closeMarker)]);
}

function callBody(
  tool: DeclaredTool,
  index: number,
  format: ToolCallFormat,
  shapes: CompiledShapes,
): Constraint {
  const parameters =
    tool.parameters === undefined
      ? shapes.anyObject
      : // A program is called with these: arguments that it does not declare are mistakes.
        shapes.compile(tool.parameters, 'left-out', `tools[${index}].function.parameters`);
  return sequence([literal(format.beginningOf(JSON.stringify(tool.name))), parameters, literal('}')]);
}
