import { measureTexts, type Meter, type Size } from './measure-context.ts';
import type { PlannedMessage } from './plan-context.ts';

/** From where on the model sees the conversation, and what stands for the part before. */
export interface View {
  readonly first: number;
  readonly summary: { readonly text: string; readonly size: Size } | undefined;
  readonly overflow: Overflow | undefined;
}

/** Messages that no longer fit, with room before them for what a summary of them takes. */
export interface Overflow {
  /** What was summarised before; the new one builds on it. */
  readonly before: string | undefined;
  readonly messages: readonly PlannedMessage[];
  /** The last of them: the summary belongs to it. */
  readonly lastId: string;
  readonly maxTokens: number;
}

/** A summary leaves so much of the room to the newest messages, so that the next turns need no other one. */
const keptShare = 0.5;
const summaryShare = 0.25;
const maxSummaryTokens = 800;
/** A shorter one says nothing. */
const minSummaryTokens = 64;

/** Everything where it fits; else the newest summary and what follows it, as much as fits from the end back. */
export async function chooseView(
  meter: Meter,
  parts: {
    readonly branch: readonly PlannedMessage[];
    readonly costs: readonly number[];
    readonly questionAt: number;
    /** Whether the branch begins at the top of the chat. */
    readonly isWhole: boolean;
    readonly free: number;
  },
): Promise<View> {
  const { branch, costs, questionAt, isWhole, free } = parts;
  const firstWithin = (room: number) => firstThatFits(branch, costs, questionAt, room);
  const first = firstWithin(free);
  if (first === 0 && isWhole) return { first, summary: undefined, overflow: undefined };

  const summaryAt = branch.findLastIndex(({ summary }, index) => index < questionAt && summary != null);
  const text = branch[summaryAt]?.summary?.text;
  const size = text === undefined ? nothing : await measureTexts(meter, [writeSummary(text)]);
  const isUsed = text !== undefined && size.tokens <= free;
  const begins = isUsed ? Math.max(summaryAt + 1, firstWithin(free - size.tokens)) : first;
  const isComplete = isUsed && begins === summaryAt + 1;

  const maxTokens = Math.min(maxSummaryTokens, Math.floor(free * summaryShare));
  const end = Math.max(begins, firstWithin(free * keptShare));
  const messages = branch.slice(summaryAt + 1, end);
  const lastId = messages.at(-1)?.id;
  const canSummarise = !isComplete && maxTokens >= minSummaryTokens && lastId !== undefined;
  return {
    first: begins,
    summary: isUsed ? { text, size } : undefined,
    overflow: canSummarise ? { before: text, messages, lastId, maxTokens } : undefined,
  };
}

const nothing: Size = { tokens: 0, isEstimated: false };

/** The branch as the model gets it, with the summary before its first words. */
export function withSummary(branch: readonly PlannedMessage[], summary: string): readonly PlannedMessage[] {
  return branch.map((message, index) =>
    index === 0 ? { ...message, content: `${writeSummary(summary)}\n\n${message.content}` } : message,
  );
}

/** In the question, not among the instructions: what was said in a conversation must not become one. */
function writeSummary(text: string): string {
  const plain = text.replaceAll(/<(?=\/?summary\b)/gi, '‹');
  return `<summary>\n${plain.trim()}\n</summary>\nThis is what was said before, in short.`;
}

/** From the question back, as much as fits; it begins with somebody's question. */
function firstThatFits(
  branch: readonly PlannedMessage[],
  costs: readonly number[],
  questionAt: number,
  room: number,
): number {
  let left = room;
  let first = questionAt;
  for (let index = questionAt - 1; index >= 0; index--) {
    left -= costs[index] ?? 0;
    if (left < 0) break;
    if (branch[index]?.role === 'user') first = index;
  }
  return first;
}
