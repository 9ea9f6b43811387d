import { mkdir, open, type FileHandle, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RecordKind, writeRecord } from './witness-records.ts';

/** So long frames are gathered: what a killed process said in that time is said anew by the next one. */
const gatherMs = 50;
/** A disk that leaves more than this waiting is not told the rest. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** Beyond this nobody goes on with an answer. */
const maxFrameBytes = 64 * 1024 * 1024;

/** One answer, record after record. Nobody waits for the disk, and whatever fails there fails for this file alone. */
export class AnswerFile {
  readonly #path: string;
  readonly #onLost: (error: unknown) => void;
  readonly #hurry = new AbortController();
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #frameBytes = 0;
  #work: Promise<void> | undefined;
  readonly #begun = Promise.withResolvers<void>();
  /** Whether everything that was said of it will stand there. */
  isWhole = true;

  constructor(path: string, onLost: (error: unknown) => void) {
    this.#path = path;
    this.#onLost = onLost;
  }

  /** Resolves when what was said first stands there, or cannot. */
  get whenBegun(): Promise<void> {
    return this.#begun.promise;
  }

  add(kind: RecordKind, id: string, payload?: Buffer): void {
    if (!this.isWhole) return;
    const record = writeRecord(kind, id, payload);
    this.#waiting.push(record);
    this.#waitingBytes += record.length;
    if (kind === 'frame') this.#frameBytes += record.length;
    if (this.#waitingBytes > maxWaitingBytes) this.#lose(new Error('the disk is too slow'));
    else if (this.#frameBytes > maxFrameBytes) this.#lose(new Error('the answer is too long'));
    else this.#work ??= this.#write();
  }

  /** Resolves when everything is written, or cannot be. From now on nothing is gathered. */
  async flush(): Promise<void> {
    this.#hurry.abort();
    while (this.#work !== undefined) await this.#work;
  }

  /** All that was said of it; undefined when it is not there, or longer than this. */
  async read(maxBytes: number): Promise<Buffer | undefined> {
    if (!this.isWhole) return undefined;
    await using file = await open(this.#path).catch(() => undefined);
    return file && (await file.stat()).size <= maxBytes ? await file.readFile() : undefined;
  }

  /** Nobody needs it any more. */
  remove(): void {
    this.isWhole = false;
    this.#begun.resolve();
    this.#waiting = [];
    void this.flush().then(() => rm(this.#path, { force: true }).catch(() => {}));
  }

  async #write(): Promise<void> {
    let file: FileHandle | undefined;
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      file = await open(this.#path, 'a', 0o600);
      while (this.#waiting.length > 0) {
        const bytes = Buffer.concat(this.#waiting.splice(0));
        this.#waitingBytes -= bytes.length;
        await file.appendFile(bytes);
        this.#begun.resolve();
        await this.#gather();
      }
    } catch (error) {
      this.#lose(error);
    } finally {
      await file?.close().catch(() => {});
      // Something may have come while it was closed.
      this.#work = this.#waiting.length > 0 ? this.#write() : undefined;
    }
  }

  async #gather(): Promise<void> {
    const { signal } = this.#hurry;
    if (!signal.aborted) await sleep(gatherMs, undefined, { ref: false, signal }).catch(() => {});
  }

  #lose(error: unknown): void {
    if (!this.isWhole) return;
    this.#onLost(error);
    this.remove();
  }
}
