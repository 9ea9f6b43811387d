import { createMarkerScanner } from './marker-scanner.ts';
import type { ToolCallFormat } from './tool-call-format.ts';
import { createToolCallReader } from './tool-call-reader.ts';
import type { ToolCallReader } from './tool-call-reader.ts';

export type OutputEvent =
  | { readonly kind: 'thought-began' }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'thought-ended' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call-began'; readonly name: string }
  | { readonly kind: 'call-arguments'; readonly text: string }
  | { readonly kind: 'call-ended' }
  | { readonly kind: 'stopped'; readonly by: string };

export type OutputMode = 'answer' | 'thought' | 'call';

/**
 * Reads what a model writes, token by token, and says what it is. Half a character, half a marker and half a
 * stop string are held back until they are whole or turn out to be something else.
 */
export interface OutputParser {
  readonly mode: OutputMode;
  /** What the last token wrote after its change of mode; empty where markers are tokens of their own. */
  readonly textAfterSwitch: string;
  push(bytes: Uint8Array): OutputEvent[];
  /** What was held back; an unfinished character is dropped. */
  finish(): OutputEvent[];
}

export interface OutputParserOptions {
  /** The markers around a thought; undefined leaves them in the text. */
  readonly thought: ThoughtMarkers | undefined;
  /** The prompt ended inside an open thought. */
  readonly startsInThought: boolean;
  /** The prompt ended inside the answer: what follows is no thought. */
  readonly hasAnswered?: boolean;
  readonly calls: ToolCallFormat | undefined;
  /** They end the answer; thoughts and calls may contain them. */
  readonly stops: readonly string[];
}

export interface ThoughtMarkers {
  readonly open: string;
  readonly close: string;
}

export function createOutputParser(options: OutputParserOptions): OutputParser {
  const { thought, calls, stops } = options;
  const decoder = new TextDecoder('utf-8');
  const scanner = createMarkerScanner();
  // A model thinks before it answers; afterwards the marker is only a word in the text.
  const firstMarkers = [
    ...stops,
    ...(calls === undefined ? [] : [calls.openMarker]),
    ...(thought === undefined ? [] : [thought.open]),
  ];
  const laterMarkers = firstMarkers.filter(
    (marker) => marker !== thought?.open && !(marker === calls?.openMarker && calls.opensOnlyFirst),
  );
  let mode: OutputMode = options.startsInThought && thought !== undefined ? 'thought' : 'answer';
  let call: ToolCallReader | undefined;
  let heldSpace = '';
  let hasStopped = false;
  let textAfterSwitch = '';
  let hasAnswered = options.hasAnswered ?? false;

  function markers(): readonly string[] {
    if (mode === 'thought' && thought !== undefined) return [thought.close];
    return hasAnswered ? laterMarkers : firstMarkers;
  }

  function read(text: string, events: OutputEvent[]): void {
    let unread = text;
    for (;;) {
      const scanned = mode === 'call' ? readCall(unread, events) : scanner.push(unread, markers());
      emit(scanned.text, events);
      if (scanned.marker === undefined) return;
      const isLate = hasAnswered && mode === 'answer' && !laterMarkers.includes(scanned.marker);
      if (isLate) emit(scanned.marker, events);
      else switchMode(scanned.marker, events);
      if (hasStopped) return;
      unread = '';
    }
  }

  /** The call's own braces say where it ends, so that its strings may contain the closing marker. */
  function readCall(text: string, events: OutputEvent[]): { text: string; marker: string | undefined } {
    if (calls === undefined) return { text: '', marker: undefined };
    const endings = [calls.closeMarker, ...(calls.separator === undefined ? [] : [calls.separator])];
    if (call === undefined) return { ...scanner.push(text, endings), text: '' };
    const { pieces, rest } = call.push(scanner.flush() + text);
    for (const piece of pieces) {
      events.push(
        piece.kind === 'name'
          ? { kind: 'call-began', name: piece.name }
          : { kind: 'call-arguments', text: piece.text },
      );
    }
    if (rest === undefined) return { text: '', marker: undefined };
    call = undefined;
    events.push({ kind: 'call-ended' });
    return { text: '', marker: scanner.push(rest, endings).marker };
  }

  function emit(text: string, events: OutputEvent[]): void {
    if (text === '') return;
    if (mode === 'thought') {
      events.push({ kind: 'thought', text });
      return;
    }
    hasAnswered ||= text.trim() !== '';
    // Space between an answer and a call belongs to neither.
    const whole = heldSpace + text;
    const visible = calls === undefined ? whole : whole.trimEnd();
    heldSpace = whole.slice(visible.length);
    if (visible !== '') events.push({ kind: 'text', text: visible });
  }

  function switchMode(marker: string, events: OutputEvent[]): void {
    textAfterSwitch = scanner.held;
    if (marker === thought?.open && mode === 'answer') {
      mode = 'thought';
      events.push({ kind: 'thought-began' });
    } else if (marker === thought?.close && mode === 'thought') {
      mode = 'answer';
      events.push({ kind: 'thought-ended' });
    } else if (marker === calls?.openMarker && mode === 'answer') {
      mode = 'call';
      heldSpace = '';
      call = createToolCallReader(calls.beginning);
    } else if (marker === calls?.separator && mode === 'call') {
      call = createToolCallReader(calls.beginning);
    } else if (marker === calls?.closeMarker && mode === 'call') {
      mode = 'answer';
    } else {
      hasStopped = true;
      events.push({ kind: 'stopped', by: marker });
    }
  }

  return {
    get mode() {
      return mode;
    },
    get textAfterSwitch() {
      return textAfterSwitch;
    },
    push: (bytes) => {
      textAfterSwitch = '';
      const events: OutputEvent[] = [];
      const text = decoder.decode(bytes, { stream: true });
      if (text !== '' && !hasStopped) read(text, events);
      return events;
    },
    finish: () => {
      const events: OutputEvent[] = [];
      if (hasStopped || mode === 'call') return events;
      emit(scanner.flush(), events);
      if (mode === 'answer' && heldSpace !== '') events.push({ kind: 'text', text: heldSpace });
      return events;
    },
  };
}
