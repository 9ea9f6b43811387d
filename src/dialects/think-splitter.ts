const openTag = '<think>';
const closeTag = '</think>';

export interface Split {
  readonly reasoning: string;
  readonly content: string;
}

/**
 * Tells thinking from answer in a text that begins with `<think>`. Tags may be cut anywhere between two pieces;
 * what could still become a tag is held back until it is clear. Later tags are just text.
 */
export class ThinkSplitter {
  /** Blanks behind either tag belong to neither side, in whatever pieces they come. */
  #phase: 'undecided' | 'entering' | 'thinking' | 'leaving' | 'answering' = 'undecided';
  #held = '';

  push(piece: string): Split {
    if (this.#phase === 'answering') return { reasoning: '', content: piece };
    this.#held += piece;
    if (this.#phase === 'undecided' && !this.#decide()) return { reasoning: '', content: '' };
    return { reasoning: this.#takeThinking(), content: this.#takeContent() };
  }

  /** What was held back when the text ends. */
  finish(): Split {
    const held = this.#held;
    this.#held = '';
    return this.#phase === 'thinking' ? { reasoning: held, content: '' } : { reasoning: '', content: held };
  }

  #decide(): boolean {
    const text = this.#held.trimStart();
    if (text.startsWith(openTag)) {
      this.#phase = 'entering';
      this.#held = text.slice(openTag.length);
      return true;
    }
    if (openTag.startsWith(text)) return false;
    this.#phase = 'answering';
    return true;
  }

  #takeThinking(): string {
    if (this.#phase === 'entering') {
      this.#held = this.#held.trimStart();
      if (this.#held === '') return '';
      this.#phase = 'thinking';
    }
    if (this.#phase !== 'thinking') return '';
    const end = this.#held.indexOf(closeTag);
    if (end >= 0) {
      const reasoning = this.#held.slice(0, end);
      this.#held = this.#held.slice(end + closeTag.length);
      this.#phase = 'leaving';
      return reasoning;
    }
    const keep = longestTagStart(this.#held);
    const reasoning = this.#held.slice(0, this.#held.length - keep);
    this.#held = this.#held.slice(this.#held.length - keep);
    return reasoning;
  }

  #takeContent(): string {
    if (this.#phase === 'leaving') {
      this.#held = this.#held.trimStart();
      if (this.#held === '') return '';
      this.#phase = 'answering';
    }
    if (this.#phase !== 'answering') return '';
    const content = this.#held;
    this.#held = '';
    return content;
  }
}

/** How many characters at the end could be the beginning of `</think>`. */
function longestTagStart(text: string): number {
  for (let length = Math.min(closeTag.length - 1, text.length); length > 0; length--) {
    if (closeTag.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
