import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BufferedOutput {
  write(line: LateLine): void;
  /** Writes what waits and returns when it is out, or when the reader does not take it. */
  flushSync(): void;
}

/**
 * A line with its end, or what makes it out of things that do not change any more. Many are made together: between all
 * that is done for a request, making one takes several times as long.
 */
export type LateLine = string | (() => string);

const madeTogether = 64;
/** Gathered for a second at most. */
const gatherMs = 1000;
const gatherBytes = 32 * 1024;
/** When the reader takes nothing, lines beyond this are given up. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** At the end of the process a reader gets two seconds. */
const syncWaitMs = 10;
const maxSyncWaits = 200;

/**
 * Writes lines to a file or pipe in large pieces, never on the way of a request. A reader that went away (a closed
 * pipe) or does not keep up costs lines, not the service.
 *
 * The library `sonic-boom` was tried in its place: it loses the piece under way when the process ends behind a full
 * pipe, and those lines say why it ended.
 */
export function createBufferedOutput(descriptor: number): BufferedOutput {
  let unmade: LateLine[] = [];
  let waiting: string[] = [];
  let waitingLength = 0;
  let underWay: Buffer | undefined;
  let timer: NodeJS.Timeout | undefined;

  return {
    write(line) {
      if (waitingLength > maxWaitingBytes) return;
      unmade.push(line);
      if (unmade.length >= madeTogether) makeLines();
      if (waitingLength >= gatherBytes) void send();
      else sendLater();
    },
    flushSync() {
      // What is under way may come out twice; the process is about to end, and that is better than not at all.
      if (underWay !== undefined) writeAllSync(underWay);
      writeAllSync(take());
    },
  };

  function sendLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void send();
    }, gatherMs).unref();
  }

  function makeLines(): void {
    const lines = unmade;
    unmade = [];
    for (const line of lines) {
      const text = typeof line === 'string' ? line : line();
      waiting.push(text);
      waitingLength += text.length;
    }
  }

  function take(): Buffer {
    makeLines();
    const taken = Buffer.from(waiting.join(''));
    waiting = [];
    waitingLength = 0;
    return taken;
  }

  async function send(): Promise<void> {
    if (underWay !== undefined) return;
    do {
      underWay = take();
      while (underWay.length > 0) underWay = underWay.subarray(await writeSome(underWay));
      underWay = undefined;
    } while (waitingLength >= gatherBytes);
    if (waitingLength > 0 || unmade.length > 0) sendLater();
  }

  /** Resolves with the number of bytes that are dealt with: written, or given up. */
  function writeSome(bytes: Buffer): Promise<number> {
    return new Promise((resolve) => {
      write(descriptor, bytes, 0, bytes.length, null, (failure, written) => {
        if (failure === null) resolve(written);
        else if (failure.code === 'EAGAIN') void sleep(50).then(() => resolve(0));
        else resolve(bytes.length);
      });
    });
  }

  function writeAllSync(bytes: Buffer): void {
    let rest = bytes;
    let patience = maxSyncWaits;
    while (rest.length > 0 && patience > 0) {
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (failure) {
        // A full pipe is worth waiting for; otherwise nobody is left to read it.
        if ((failure as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        patience--;
        Atomics.wait(pause, 0, 0, syncWaitMs);
      }
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));
