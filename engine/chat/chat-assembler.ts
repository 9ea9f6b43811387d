import { randomBytes } from 'node:crypto';
import type { OutputEvent } from '../output/output-parser.ts';

/** What one step adds to a chat message. */
export interface ChatDelta {
  readonly content?: string;
  readonly reasoning?: string;
  readonly toolCall?: ToolCallDelta;
}

export interface ToolCallDelta {
  readonly index: number;
  /** Only on the first delta of a call. */
  readonly opening?: { readonly id: string; readonly name: string };
  readonly arguments: string;
}

/** Turns output events into deltas, in the form of reasoning the caller wants. */
export interface ChatAssembler {
  assemble(events: readonly OutputEvent[]): ChatDelta[];
  /** Closes what is still open. */
  finish(): ChatDelta[];
  /** Whether the last token counts as part of the content, for log probabilities. */
  readonly isInContent: boolean;
}

export interface ChatAssemblerOptions {
  readonly form: 'think-tags' | 'separate';
  readonly showsReasoning: boolean;
  readonly startsInThought: boolean;
  /** Words that are already there and go on, so that the first space counts. */
  readonly continues: 'nothing' | 'thought' | 'text';
}

export function createChatAssembler({
  form,
  showsReasoning,
  startsInThought,
  continues,
}: ChatAssemblerOptions): ChatAssembler {
  const isInline = form === 'think-tags';
  let place: 'answer' | 'thought' | 'call' = startsInThought ? 'thought' : 'answer';
  let hasShownOpening = continues === 'thought';
  let hasContent = continues === 'text';
  let callCount = 0;
  let heldThoughtSpace = continues === 'thought' ? '' : undefined;

  function thoughtDelta(text: string): ChatDelta[] {
    if (!showsReasoning) return [];
    if (isInline) return [{ content: openingTag() + text }];
    // The line breaks next to the markers belong to the markers.
    const whole = (heldThoughtSpace ?? '') + (heldThoughtSpace === undefined ? text.trimStart() : text);
    const visible = whole.trimEnd();
    if (visible === '' && heldThoughtSpace === undefined) return [];
    heldThoughtSpace = whole.slice(visible.length);
    return visible === '' ? [] : [{ reasoning: visible }];
  }

  /** Where the template opened the thought, the model never writes the marker; the caller still sees it. */
  function openingTag(): string {
    if (hasShownOpening) return '';
    hasShownOpening = true;
    return startsInThought ? '<think>\n' : '<think>';
  }

  function endThought(): ChatDelta[] {
    place = 'answer';
    const isShown = hasShownOpening;
    hasShownOpening = false;
    heldThoughtSpace = undefined;
    return isInline && isShown ? [{ content: '</think>' }] : [];
  }

  function textDelta(text: string): ChatDelta[] {
    const visible = hasContent || isInline ? text : text.trimStart();
    hasContent ||= visible !== '';
    return visible === '' ? [] : [{ content: visible }];
  }

  function deltasOf(event: OutputEvent): ChatDelta[] {
    switch (event.kind) {
      case 'thought-began':
        place = 'thought';
        return isInline && showsReasoning ? [{ content: openingTag() }] : [];
      case 'thought':
        return thoughtDelta(event.text);
      case 'thought-ended':
        return endThought();
      case 'text':
        return textDelta(event.text);
      case 'call-began': {
        place = 'call';
        const opening = { id: `call_${randomBytes(12).toString('hex')}`, name: event.name };
        callCount += 1;
        return [{ toolCall: { index: callCount - 1, opening, arguments: '' } }];
      }
      case 'call-arguments':
        return [{ toolCall: { index: callCount - 1, arguments: event.text } }];
      case 'call-ended':
        place = 'answer';
        return [];
      case 'stopped':
      default:
        return [];
    }
  }

  return {
    assemble: (events) => events.flatMap(deltasOf),
    finish: () => (place === 'thought' ? endThought() : []),
    get isInContent() {
      return place === 'answer' ? hasContent : place === 'thought' && isInline && showsReasoning;
    },
  };
}
