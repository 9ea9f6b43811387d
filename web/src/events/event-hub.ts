import type { Generation, PersonEvent } from '#contract/generations';
import { advance, type AnswerProgress } from './answer-progress.ts';
import { openEventStream, type EventStream } from './event-stream.ts';

/** What a window hears from the hub. */
export type HubWord =
  | { readonly kind: 'event'; readonly event: PersonEvent }
  | { readonly kind: 'lost'; readonly isRefused: boolean };

/** What a window says to the hub. */
export type WindowWord =
  | { readonly kind: 'join'; readonly personId: string; readonly address: string }
  | { readonly kind: 'leave' }
  | { readonly kind: 'openNow' };

export interface HubWindow {
  tell(word: HubWord): void;
}

export interface EventHub {
  hear(window: HubWindow, word: WindowWord): void;
}

interface KnownAnswer {
  readonly progress: AnswerProgress;
  readonly sequence: number;
}

/**
 * One stream of the server's events for all windows of a browser, which opens few connections to one host. It keeps
 * the answers being written, as many as the server lets one person have, so that a new window is told at once what
 * the others have seen.
 */
export function createEventHub(): EventHub {
  const windows = new Set<HubWindow>();
  const answers = new Map<string, KnownAnswer>();
  const running = new Map<string, Generation>();
  let stream: EventStream | undefined;
  let personId: string | undefined;
  let isListening = false;
  /** The words of each answer since windows were last told of any. */
  const held = new Map<string, Words>();
  let toldAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    hear(window, word) {
      switch (word.kind) {
        case 'join':
          join(window, word.personId, word.address);
          return;
        case 'leave':
          windows.delete(window);
          if (windows.size === 0) close();
          return;
        case 'openNow':
          stream?.openNow();
      }
    },
  };

  function join(window: HubWindow, joining: string, address: string): void {
    if (joining !== personId) close();
    personId = joining;
    tellHeld();
    windows.add(window);
    if (stream === undefined) open(address);
    else if (isListening) for (const event of whatIsKnown()) window.tell({ kind: 'event', event });
  }

  function open(address: string): void {
    const lost = (isRefused: boolean) => {
      isListening = false;
      tellHeld();
      tellAll({ kind: 'lost', isRefused });
    };
    stream = openEventStream(() => `${address}?after=${cursors()}`, {
      arrived(event) {
        note(event);
        if (isWords(event)) holdWords(event);
        else {
          tellHeld();
          tellAll({ kind: 'event', event });
        }
      },
      interrupted: () => lost(false),
      refused: () => lost(true),
    });
  }

  function close(): void {
    stream?.close();
    stream = undefined;
    isListening = false;
    clearTimeout(timer);
    timer = undefined;
    held.clear();
    answers.clear();
    running.clear();
  }

  function tellAll(word: HubWord): void {
    for (const window of windows) window.tell(word);
  }

  /** Each word told costs a window about as much as many at once. */
  function holdWords(event: Words): void {
    const before = held.get(event.generationId);
    const isContinued = before?.event.type === event.event.type;
    if (before !== undefined && !isContinued) tellHeld();
    held.set(event.generationId, isContinued ? joined(before, event) : event);
    timer ??= setTimeout(tellHeld, Math.max(0, toldAt + holdMs - performance.now()));
  }

  function tellHeld(): void {
    clearTimeout(timer);
    timer = undefined;
    if (held.size === 0) return;
    toldAt = performance.now();
    for (const event of held.values()) tellAll({ kind: 'event', event });
    held.clear();
  }

  function note(event: PersonEvent): void {
    if (event.type === 'hello') {
      isListening = true;
      running.clear();
      for (const generation of event.generations) running.set(generation.id, generation);
      for (const generationId of answers.keys()) if (!running.has(generationId)) answers.delete(generationId);
    }
    if (event.type === 'generationStarted') running.set(event.generation.id, event.generation);
    if (event.type === 'generationEnded') running.delete(event.generation.id);
    if (event.type === 'answer') noteAnswer(event);
  }

  function noteAnswer({ generationId, sequence, event }: Extract<PersonEvent, { type: 'answer' }>): void {
    const known = answers.get(generationId)?.progress;
    if (event.type === 'ended') answers.delete(generationId);
    else if (event.type === 'snapshot') {
      answers.set(generationId, { progress: { place: null, ...event }, sequence });
    } else if (known !== undefined) {
      answers.set(generationId, { progress: advance(known, event), sequence });
    }
  }

  function whatIsKnown(): PersonEvent[] {
    return [
      { type: 'hello', generations: [...running.values()] },
      ...[...answers].map(([generationId, { progress, sequence }]): PersonEvent => {
        const { message, phase } = progress;
        return { type: 'answer', generationId, sequence, event: { type: 'snapshot', message, phase } };
      }),
    ];
  }

  function cursors(): string {
    return [...answers].map(([generationId, { sequence }]) => `${generationId}:${sequence}`).join(',');
  }
}

const holdMs = 25;

type AnswerEvent = Extract<PersonEvent, { type: 'answer' }>;
type Words = AnswerEvent & { readonly event: { readonly type: 'content' | 'reasoning' } };

function isWords(event: PersonEvent): event is Words {
  return event.type === 'answer' && (event.event.type === 'content' || event.event.type === 'reasoning');
}

function joined(before: Words, after: Words): Words {
  return { ...after, event: { ...after.event, text: before.event.text + after.event.text } };
}
