import type { GenerationEvent } from '#contract/generations';
import type { Message, ToolCall } from '#contract/messages';

/** An answer as far as it has come. */
export interface AnswerProgress {
  readonly message: Message;
  readonly phase: 'waiting' | 'summarising' | 'thinking' | 'answering';
  /** Its place in the line, once it is told one. */
  readonly place: LinePlace | null;
}

export type LinePlace = Omit<Extract<GenerationEvent, { type: 'waiting' }>, 'type'>;

/** One event more. Pure. */
export function advance(answer: AnswerProgress, event: GenerationEvent): AnswerProgress {
  const { message } = answer;
  switch (event.type) {
    case 'snapshot':
      return { ...answer, message: event.message, phase: event.phase };
    case 'waiting': {
      const { place, seconds } = event;
      return { ...answer, phase: 'waiting', place: { place, seconds } };
    }
    case 'summarising':
      return { ...answer, phase: 'summarising' };
    case 'context':
      return { ...answer, phase: 'waiting', message: { ...message, context: event.context } };
    case 'reasoning':
      return {
        ...answer,
        phase: 'thinking',
        message: { ...message, reasoning: message.reasoning + event.text },
      };
    case 'content':
      return {
        ...answer,
        phase: 'answering',
        message: { ...message, content: message.content + event.text },
      };
    case 'toolCall':
      return {
        ...answer,
        phase: 'answering',
        message: { ...message, toolCalls: grown(message.toolCalls, event) },
      };
    case 'toolUse':
      return { ...answer, message: { ...message, tool: event.tool } };
    case 'ended': {
      const { state, finishReason, error, usage, timings } = event;
      return {
        ...answer,
        message: { ...message, state, finishReason, error, usage, timings, generationId: null },
      };
    }
  }
}

function grown(
  calls: readonly ToolCall[],
  piece: Extract<GenerationEvent, { type: 'toolCall' }>,
): ToolCall[] {
  const next = [...calls];
  const call = next[piece.index] ?? { id: '', name: '', argumentsText: '' };
  next[piece.index] = {
    id: piece.id ?? call.id,
    name: piece.name ?? call.name,
    argumentsText: call.argumentsText + piece.argumentsText,
  };
  return next;
}
