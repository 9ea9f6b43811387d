import type { GenerationEvent } from '../../../src/console/contract/generations.ts';
import type { Message, ToolCall } from '../../../src/console/contract/messages.ts';
import type { Client } from '../client/client.ts';
import { listenToEvents } from '../client/event-stream.ts';

/**
 * The answers being written right now, outside React: a token changes one entry here and renders one message,
 * never the page. The server owns the generation; this only listens, and may stop and start listening at will.
 * Bounded by the generations one person can have running; an entry goes when its answer has ended.
 */
export interface LiveAnswers {
  /** Listening twice to the same generation is harmless. */
  listen(message: Message, onEnded: (message: Message) => void): void;
  read(generationId: string | null): LiveAnswer | undefined;
  subscribe(listener: () => void): () => void;
}

export interface LiveAnswer {
  readonly message: Message;
  readonly phase: 'waiting' | 'thinking' | 'answering';
  readonly isReconnecting: boolean;
}

export function createLiveAnswers(client: Client): LiveAnswers {
  const answers = new Map<string, LiveAnswer>();
  const listeners = new Set<() => void>();
  let isFrameAsked = false;

  /** Tokens come faster than the screen draws; one frame tells about all of them. */
  const tellSoon = () => {
    if (isFrameAsked) return;
    isFrameAsked = true;
    nextFrame(() => {
      isFrameAsked = false;
      for (const listener of listeners) listener();
    });
  };
  const change = (generationId: string, next: (answer: LiveAnswer) => LiveAnswer) => {
    const answer = answers.get(generationId);
    if (answer === undefined) return;
    answers.set(generationId, next(answer));
    tellSoon();
  };

  return {
    read: (generationId) => (generationId === null ? undefined : answers.get(generationId)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listen(message, onEnded) {
      const { generationId } = message;
      if (generationId === null || answers.has(generationId)) return;
      answers.set(generationId, { message, phase: 'waiting', isReconnecting: false });
      const finish = (ended: Message) => {
        stopListening();
        onEnded(ended);
        answers.delete(generationId);
        tellSoon();
      };
      const stopListening = listenToEvents<GenerationEvent>(
        client.address('GET /console/generations/:generationId/events', { generationId }),
        eventTypes,
        {
          arrived: (event) => {
            change(generationId, (answer) => apply(answer, event));
            if (event.type === 'ended') finish(answers.get(generationId)?.message ?? message);
          },
          interrupted: () => change(generationId, (answer) => ({ ...answer, isReconnecting: true })),
          resumed: () => change(generationId, (answer) => ({ ...answer, isReconnecting: false })),
          // Gone from memory: what the store says of it is the truth now.
          refused: () => finish({ ...(answers.get(generationId)?.message ?? message), state: 'interrupted' }),
        },
      );
    },
  };
}

const eventTypes = ['snapshot', 'reasoning', 'content', 'toolCall', 'ended'] as const;

/** One event more. Pure. */
export function apply(answer: LiveAnswer, event: GenerationEvent): LiveAnswer {
  const { message } = answer;
  switch (event.type) {
    case 'snapshot':
      return { ...answer, message: event.message, phase: event.phase };
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

/** A hidden window draws no frames, but its answers still end. */
function nextFrame(action: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(action, 100);
  else requestAnimationFrame(action);
}
