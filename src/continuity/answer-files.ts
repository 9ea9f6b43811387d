import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemTimers } from '#vocabulary/clock';
import type { LivingProcesses } from '#vocabulary/living-processes';
import type { Logger } from '#vocabulary/logger';
import type { AnswerBeginning, AnswerTold, ToldFrames, WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { AnswerFile } from './answer-file.ts';
import { createWitnessBook } from './witness-book.ts';

/**
 * The disk as a witness: what is known of an answer stands in a file of the data folder, in the words in which other
 * gateways are told of it. The next process from this folder goes on with what one that has ended left there.
 */
export interface AnswerFiles {
  tell(beginning: AnswerBeginning, body: Buffer, headers: readonly string[], log: ToldFrames): AnswerTold;
  /** Whether a process that has ended left it, and somebody is about to go on with it here. */
  isFound(id: string): boolean;
  /** Looks for what was left, at once and regularly. */
  start(): void;
  /** Resolves when everything that was told is written. */
  stop(): Promise<void>;
}

export interface AnswerFilesParts {
  /** Where each process has a folder with a file for each answer. */
  readonly directory: string;
  readonly processes: LivingProcesses;
  readonly maxBodyBytes: number;
  /** Resolves when nobody needs the file any more. Never rejects. */
  readonly goOn: (answer: WitnessedAnswer) => Promise<void>;
  readonly logger: Logger;
}

const lookEveryMs = 5000;

export function createAnswerFiles(parts: AnswerFilesParts): AnswerFiles {
  const { directory, processes, logger } = parts;
  const written = new Set<AnswerFile>();
  const found = new Set<string>();
  const folders = new Set<string>();
  let regular: Disposable | undefined;

  return {
    tell(beginning, body, headers, log) {
      const file = new AnswerFile(join(directory, processes.ownId, beginning.id), (error) =>
        logger.warn(
          { answer: beginning.id, error },
          'an answer is not written down, and ends with this process',
        ),
      );
      written.add(file);
      if (log.has(0)) {
        file.add('begin', beginning.id, Buffer.from(JSON.stringify({ ...beginning, headers })));
        file.add('body', beginning.id, body);
        for (const frame of log.after(0)) file.add('frame', beginning.id, frame);
      } else file.remove();
      return {
        get hasWitness() {
          return file.isWhole;
        },
        frame: (frame) => file.add('frame', beginning.id, frame),
        end: () => file.add('end', beginning.id),
        forget() {
          written.delete(file);
          file.remove();
        },
        // The next process finds it when this one has ended.
        handOn: () => file.isWhole,
      };
    },
    isFound: (id) => found.has(id),
    start() {
      look();
      regular = systemTimers.every(lookEveryMs, look);
    },
    async stop() {
      regular?.[Symbol.dispose]();
      await Promise.all([...written].map((file) => file.flush()));
      await processes.close();
    },
  };

  function look(): void {
    for (const name of listed(directory)) {
      if (folders.has(name) || processes.isAlive(name) === true) continue;
      folders.add(name);
      void goOnWithAll(join(directory, name)).finally(() => folders.delete(name));
    }
  }

  /** All of them are found at once; each file stays until the answer has ended, or is somebody else's. */
  async function goOnWithAll(folder: string): Promise<void> {
    const ids = listed(folder);
    for (const id of ids) found.add(id);
    await Promise.all(ids.map((id) => goOnWith(folder, id).finally(() => found.delete(id))));
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      logger.warn({ folder, error }, 'what a process left of its answers cannot be removed'),
    );
  }

  async function goOnWith(folder: string, id: string): Promise<void> {
    try {
      const answer = readAnswer(await readFile(join(folder, id)), parts.maxBodyBytes);
      if (answer !== undefined) await parts.goOn(answer);
      await rm(join(folder, id), { force: true });
    } catch (error) {
      logger.warn({ answer: id, error }, 'what a process left of an answer cannot be read');
    }
  }
}

/** A machine that lost its power may have left half of it: so far as it is sound, it is the answer. */
function readAnswer(bytes: Buffer, maxBodyBytes: number): WitnessedAnswer | undefined {
  const unbounded = { streamsPerKey: 1, bytesPerKey: Infinity, totalBytes: Infinity, maxBodyBytes };
  const page = createWitnessBook(unbounded).open('');
  try {
    page.listen().push(bytes);
  } catch {
    // What was heard before stands.
  }
  const [answer] = page.takeOver();
  return answer?.body.length === 0 ? undefined : answer;
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
