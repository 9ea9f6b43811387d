import type { GenerationEvent } from '#contract/generations';
import type { Message, ToolCall } from '#contract/messages';
import { CallFailed } from '../client/call-failed.ts';
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
  /** Its place in the line, while it is told one. */
  readonly place: { readonly place: number; readonly seconds: number | null } | null;
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
      answers.set(generationId, { message, phase: 'waiting', place: null, isReconnecting: false });
      const finish = (ended: Message) => {
        stopListening();
        onEnded(ended);
        answers.delete(generationId);
        tellSoon();
      };
      const note = (isReconnecting: boolean) =>
        change(generationId, (answer) => ({ ...answer, isReconnecting }));
      let refusals = 0;
      const begin = () =>
        listenToEvents<GenerationEvent>(
          client.address('GET /console/generations/:generationId/events', { generationId }),
          eventTypes,
          {
            arrived: (event) => {
              refusals = 0;
              change(generationId, (answer) => apply(answer, event));
              if (event.type === 'ended') finish(answers.get(generationId)?.message ?? message);
            },
            interrupted: () => note(true),
            resumed: () => note(false),
            refused: () => {
              refusals += 1;
              note(true);
              void serverIsBack(client).then((isSignedIn) => {
                if (isSignedIn && refusals < 2) stopListening = begin();
                // Gone from memory: what the store says of it is the truth now.
                else finish({ ...(answers.get(generationId)?.message ?? message), state: 'interrupted' });
              });
            },
          },
        );
      let stopListening = begin();
    },
  };
}

const eventTypes = ['snapshot', 'waiting', 'reasoning', 'content', 'toolCall', 'ended'] as const;

/**
 * A refusal may come from a proxy whose server is being restarted: waits until the server itself answers. False
 * when it does not know us any more.
 */
async function serverIsBack(client: Client): Promise<boolean> {
  for (;;) {
    try {
      await client.call('GET /console/generations', {});
      return true;
    } catch (failure) {
      if (failure instanceof CallFailed && failure.status >= 400 && failure.status < 500) return false;
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    }
  }
}

const askAgainMs = 2000;

/** One event more. Pure. */
export function apply(answer: LiveAnswer, event: GenerationEvent): LiveAnswer {
  const { message } = answer;
  switch (event.type) {
    case 'snapshot':
      return { ...answer, message: event.message, phase: event.phase };
    case 'waiting':
      return { ...answer, phase: 'waiting', place: { place: event.place, seconds: event.seconds } };
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
