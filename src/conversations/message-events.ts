import type { GenerationEvent } from '#contract/generations';
import type { SequencedEvent } from '#vocabulary/conversations';
import { EventLog } from './event-log.ts';

/** What happens to one message that is being written, and who listens. */
export class MessageEvents {
  readonly #log = new EventLog();
  readonly #listeners = new Set<(entry: SequencedEvent) => void>();
  #isOver = false;

  /** Grows with everything that happens. */
  get lastSequence(): number {
    return this.#log.lastSequence;
  }

  emit(event: GenerationEvent): void {
    const entry = this.#log.add(event);
    for (const listener of this.#listeners) listener(entry);
  }

  /** The last event; nobody listens any more. */
  end(event: GenerationEvent): void {
    this.#isOver = true;
    this.emit(event);
    this.#listeners.clear();
  }

  /** As `GenerationDesk.subscribe` promises. */
  subscribe(
    after: number | undefined,
    snapshot: () => GenerationEvent,
    listener: (entry: SequencedEvent) => void,
  ): () => void {
    const isOver = this.#isOver;
    const last = this.#log.lastSequence;
    const missed =
      after === undefined ? undefined : this.#log.after(Math.min(after, isOver ? last - 1 : after));
    // Whoever comes after the end sees the whole message, and then that it has ended.
    if (missed === undefined) listener({ sequence: isOver ? last - 1 : last, event: snapshot() });
    for (const entry of missed ?? (isOver ? (this.#log.after(last - 1) ?? []) : [])) listener(entry);
    if (isOver) return () => {};
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
