import type { GenerationEvent } from '#contract/generations';
import type { SequencedEvent } from '#vocabulary/conversations';

/** Older events are forgotten beyond this; whoever is further behind gets a snapshot instead. */
const maxEntries = 4096;
const maxCharacters = 512 * 1024;

/** The latest events of one generation, numbered from 1. */
export class EventLog {
  #entries: SequencedEvent[] = [];
  #characters = 0;
  lastSequence = 0;

  add(event: GenerationEvent): SequencedEvent {
    const entry = { sequence: ++this.lastSequence, event };
    this.#entries.push(entry);
    this.#characters += sizeOf(event);
    if (this.#entries.length > maxEntries || this.#characters > maxCharacters) this.#forgetHalf();
    return entry;
  }

  /** Everything after a sequence number, or undefined when that is no longer, or never was, known. */
  after(sequence: number): readonly SequencedEvent[] | undefined {
    const first = this.#entries[0]?.sequence ?? this.lastSequence + 1;
    if (sequence > this.lastSequence || sequence + 1 < first) return undefined;
    return this.#entries.slice(sequence + 1 - first);
  }

  #forgetHalf(): void {
    this.#entries = this.#entries.slice(Math.ceil(this.#entries.length / 2));
    this.#characters = this.#entries.reduce((sum, entry) => sum + sizeOf(entry.event), 0);
  }
}

function sizeOf(event: GenerationEvent): number {
  if (event.type === 'content' || event.type === 'reasoning') return event.text.length;
  return event.type === 'toolCall' ? event.argumentsText.length : 200;
}
