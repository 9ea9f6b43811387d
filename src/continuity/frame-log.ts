/** The latest frames of one stream, numbered from 1. */
export class FrameLog {
  #frames: Buffer[] = [];
  #first = 1;

  get last(): number {
    return this.#first + this.#frames.length - 1;
  }

  add(frame: Buffer): void {
    this.#frames.push(frame);
  }

  /** Whether everything after this number is here. */
  has(number: number): boolean {
    return number >= this.#first - 1 && number <= this.last;
  }

  after(number: number): Buffer[] {
    return this.#frames.slice(number + 1 - this.#first);
  }

  /** Forgets the oldest frame, if its number is not above this one. Gives its bytes. */
  forgetOldest(upTo: number): number | undefined {
    if (this.#first > upTo || this.#frames.length === 0) return undefined;
    this.#first++;
    return this.#frames.shift()?.length;
  }

  clear(): void {
    this.#first = this.last + 1;
    this.#frames = [];
  }
}
