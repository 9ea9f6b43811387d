import { randomUUID } from 'node:crypto';
import { stringOf } from './simulated-flavours.ts';
import type { Answer, EngineFlavour, Json, ToolCall } from './simulated-flavours.ts';
import type { PlayedCall, PlayedWords } from './simulated-state.ts';
import type { SimulationPlan } from './simulated-plan.ts';

/** Multi-byte on purpose: two, three and four bytes per character. */
export const standardPieces: readonly string[] = ['Grüße', ' aus', ' der', ' Küche', ': 世界', ' 🙂', '.'];
export const standardThoughts: readonly string[] = ['Erst', ' überlegen', ' 考える', '.'];
export const standardArguments: readonly string[] = ['{"city"', ': "Zür', 'ich"}'];

export function composeAnswer(
  flavour: EngineFlavour,
  request: Json,
  plan: SimulationPlan,
  reasoning: 'fields' | 'inline' | 'none',
): Answer {
  const text = promptText(request);
  const promptTokens = Math.max(1, text.split(/\s+/).length);
  const tools = Array.isArray(request['tools']) ? (request['tools'] as Json[]) : [];
  const callsTool = plan.callsTool ?? (tools.length > 0 && request['tool_choice'] !== 'none');
  const toolCalls = callsTool && tools.length > 0 ? [callOf(flavour, tools[0]!)] : [];

  const begun = begunText(request);
  let content = toolCalls.length > 0 ? [] : withoutBegun(contentPieces(plan), begun);
  const limit = request['max_completion_tokens'] ?? request['max_tokens'];
  const isCut = typeof limit === 'number' && content.length > limit;
  if (isCut) content = content.slice(0, limit);

  const thoughts = (plan.thinks || reasoning !== 'none') && begun === '' ? standardThoughts : [];
  const isInline =
    reasoning === 'inline' || (flavour === 'sglang' && request['separate_reasoning'] === false);
  const written =
    isInline && thoughts.length > 0 ? ['<think>', ...thoughts, '</think>', ...content] : content;
  const completionTokens = thoughts.length + content.length + toolCalls.length * standardArguments.length;
  return {
    reasoningPieces: isInline ? [] : thoughts,
    contentPieces: written,
    toolCalls,
    finishReason: plan.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : isCut ? 'length' : 'stop'),
    promptTokens,
    completionTokens,
    reasoningTokens: thoughts.length,
    cachedTokens: Math.min(plan.cachedTokens, promptTokens),
  };
}

/** What was composed, with the one call that is to be made, or in words when there is none. */
export function playedAnswer(answer: Answer, played: PlayedCall | PlayedWords | undefined): Answer {
  if (played === undefined || 'words' in played) {
    const contentPieces = played?.words.match(/\S*\s*/g) ?? standardPieces;
    return { ...answer, toolCalls: [], contentPieces, finishReason: 'stop' };
  }
  const text = JSON.stringify(played.arguments);
  const half = text.length >> 1;
  const call: ToolCall = {
    index: 0,
    id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    name: played.name,
    argumentPieces: [text.slice(0, half), text.slice(half)],
  };
  return { ...answer, toolCalls: [call], contentPieces: [], finishReason: 'tool_calls' };
}

/** Another engine has begun the answer. */
export function isBegun(request: Json): boolean {
  return request['continue_final_message'] === true || /w0 w1/.test(stringOf(request['prompt'], ''));
}

/** What stands where the answer goes on: the last message, or the end of a prompt. */
function begunText(request: Json): string {
  if (!isBegun(request)) return '';
  if (typeof request['prompt'] === 'string') return request['prompt'];
  const last = Array.isArray(request['messages']) ? (request['messages'] as Json[]).at(-1) : undefined;
  return stringOf(last?.['content'], '');
}

/** Templates cut blanks off, so that the last of them are written again. */
function withoutBegun(pieces: readonly string[], begun: string): string[] {
  if (begun === '') return [...pieces];
  const whole = pieces.join('');
  let known = 0;
  for (let length = 1; length <= whole.length; length++)
    if (begun.trimEnd().endsWith(whole.slice(0, length))) known = length;
  const rest: string[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (at + piece.length > known) rest.push(piece.slice(Math.max(0, known - at)));
    at += piece.length;
  }
  // A blank is no token of its own.
  const [first, second] = rest;
  if (first?.trim() !== '') return rest;
  return second === undefined ? [] : [first + second, ...rest.slice(2)];
}

/** All text a caller sent, which is where a test leaves its marks. */
export function promptText(request: Json): string {
  for (const field of ['messages', 'prompt', 'input', 'query', 'content', 'text_1', 'tokens']) {
    const value = request[field];
    if (value === undefined || value === null) continue;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
  return '';
}

function contentPieces(plan: SimulationPlan): string[] {
  if (plan.hugeBytes !== undefined) return ['x'.repeat(plan.hugeBytes)];
  if (plan.rich !== undefined) return richPieces(plan.rich, plan.frames ?? 12);
  if (plan.frames !== undefined) return Array.from({ length: plan.frames }, (_, index) => `w${index} `);
  return [...standardPieces];
}

function richPieces(kind: string, count: number): string[] {
  const growing = growingBlocks[kind];
  if (growing !== undefined) return [growing.opening, ...Array<string>(count).fill(growing.line)];
  const kinds = [
    'Behind the gate there is a yard, and behind the yard a house with many rooms.\n\n',
    '```python\nfor room in range(3):\n    print("room", room)\n```\n\n',
    '$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$\n\n',
  ];
  return [...Array.from({ length: count }, (_, index) => kinds[index % kinds.length] ?? ''), 'The very end.'];
}

const growingBlocks: Partial<Record<string, { readonly opening: string; readonly line: string }>> = {
  list: { opening: '', line: '- A room with **two** doors, and `a key` for each of them.\n' },
  table: {
    opening: '| room | doors | key |\n|---|--:|---|\n',
    line: '| the **yard** | 2 | `iron`, $k_1$ |\n',
  },
  code: { opening: '```python\n', line: '    rooms["yard"] = open_door(2, key="iron")  # and in\n' },
};

function callOf(flavour: EngineFlavour, tool: Json): ToolCall {
  const declared = tool['function'] as Json | undefined;
  const unique = randomUUID().replaceAll('-', '');
  return {
    index: 0,
    id: flavour.startsWith('vllm') ? `chatcmpl-tool-${unique}` : `call_${unique.slice(0, 24)}`,
    name: stringOf(declared?.['name'], 'unnamed'),
    argumentPieces: standardArguments,
  };
}
