import { forEachFrame } from '#dialects/sse';

/** Beyond either, the older half is forgotten, and whoever is further behind is told. */
const maxEntries = 20_000;
const maxCharacters = 1024 * 1024;

interface Entry {
  readonly sequence: number;
  readonly frame: string;
}

/** The frames of a response's stream, by the numbers they carry. */
export class EventLog {
  #entries: Entry[] = [];
  #characters = 0;
  #isWhole = true;
  #listeners: (() => void)[] = [];
  isOver = false;

  /**
   * Whole frames. Comments are for those who wait now, not for those who come later. `before` is called with all others,
   * before anybody hears of them.
   */
  add(frames: Buffer | string, before: (frames: readonly string[]) => void = () => {}): void {
    const added: Entry[] = [];
    forEachFrame(Buffer.from(frames), (bytes) => {
      const frame = bytes.toString();
      const sequence = sequenceOf(frame);
      if (sequence !== undefined) added.push({ sequence, frame });
    });
    before(added.map(({ frame }) => frame));
    for (const entry of added) {
      this.#entries.push(entry);
      this.#characters += entry.frame.length;
    }
    if (this.#entries.length > maxEntries || this.#characters > maxCharacters) this.#forgetHalf();
    this.#tell();
  }

  end(): void {
    this.isOver = true;
    this.#tell();
  }

  get lastSequence(): number {
    return this.#entries.at(-1)?.sequence ?? -1;
  }

  /** The next frames behind this number, at most so many; undefined when some of them are forgotten. */
  after(sequence: number, most: number): readonly Entry[] | undefined {
    const first = this.#entries[0]?.sequence ?? 0;
    if (!this.#isWhole && sequence + 1 < first) return undefined;
    const from = Math.max(0, sequence + 1 - first);
    return this.#entries.slice(from, from + most);
  }

  /** Whether nothing of it is forgotten. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Undefined when it is not all there. */
  text(): string | undefined {
    return this.#isWhole ? this.#entries.map(({ frame }) => frame).join('') : undefined;
  }

  /** Called whenever there is more. Returns a function that forgets the listener. */
  onMore(listener: () => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener);
    };
  }

  static read(text: string): EventLog {
    const log = new EventLog();
    log.add(text);
    log.end();
    return log;
  }

  #forgetHalf(): void {
    this.#isWhole = false;
    this.#entries = this.#entries.slice(Math.ceil(this.#entries.length / 2));
    this.#characters = this.#entries.reduce((sum, { frame }) => sum + frame.length, 0);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Our own frames begin like this, see `ResponseWriter`. */
function sequenceOf(frame: string): number | undefined {
  const match = /^event: [^\n]*\ndata: \{"type":"[^"]*","sequence_number":(\d+)/.exec(frame);
  return match === null ? undefined : Number(match[1]);
}
