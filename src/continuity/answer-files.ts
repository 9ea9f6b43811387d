import { readdirSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemTimers } from '#vocabulary/clock';
import type { LivingProcesses } from '#vocabulary/living-processes';
import type { Logger } from '#vocabulary/logger';
import type { ResponseStore } from '#vocabulary/response-store';
import type { AnswerBeginning, AnswerTold, ToldFrames, WitnessedAnswer } from '#vocabulary/witnessed-answer';
import { AnswerFile } from './answer-file.ts';
import { createKeptRoom, type KeptPlace, type KeptRoomLimits } from './kept-room.ts';
import { createWitnessBook } from './witness-book.ts';

/**
 * The disk as a witness: what is known of an answer stands in a file of the data folder, in the words in which other
 * gateways are told of it. The next process from this folder goes on with what one that has ended left there. Where
 * several gateways share a database, one that is stopped in order puts it down there too, and the first one that is
 * back goes on with it.
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
  /** Where other gateways find it. */
  readonly shelf: Pick<ResponseStore, 'putDown' | 'findPutDown' | 'readPutDown'> | undefined;
  /** Of what is gone on with at a time, for each owner and in total. */
  readonly limits: KeptRoomLimits;
  /** Resolves when nobody needs the file any more. Never rejects. */
  readonly goOn: (answer: WitnessedAnswer) => Promise<void>;
  readonly logger: Logger;
}

interface LeftAnswer {
  readonly ownerId: string;
  readonly bytes: number;
}

const lookEveryMs = 5000;
/** What is longer waits for its own gateway, on the disk. */
const maxPutDownBytes = 4 * 1024 * 1024;
/** Whose it is stands at the beginning. */
const headBytes = 16 * 1024;

export function createAnswerFiles(parts: AnswerFilesParts): AnswerFiles {
  const { directory, processes, logger } = parts;
  const written = new Map<string, AnswerFile>();
  const found = new Set<string>();
  const folders = new Set<string>();
  let isAsking = false;
  const room = createKeptRoom(parts.limits);
  /** As many as were left. */
  const waiting = new Set<LeftAnswer & { begin(place: Disposable): void }>();
  let regular: Disposable | undefined;

  return {
    tell(beginning, body, headers, log) {
      const file = new AnswerFile(join(directory, processes.ownId, beginning.id), (error) =>
        logger.warn(
          { answer: beginning.id, error },
          'an answer is not written down, and ends with this process',
        ),
      );
      written.set(beginning.id, file);
      if (log.has(0)) {
        file.add('begin', beginning.id, Buffer.from(JSON.stringify({ ...beginning, headers })));
        file.add('body', beginning.id, body);
        for (const frame of log.after(0)) file.add('frame', beginning.id, frame);
      } else file.remove();
      return {
        get hasWitness() {
          return file.isWhole;
        },
        whenKnown: file.whenBegun,
        frames(frames) {
          for (const frame of frames) file.add('frame', beginning.id, frame);
        },
        end: () => file.add('end', beginning.id),
        forget() {
          written.delete(beginning.id);
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
      await Promise.all([...written].map(([id, file]) => putDown(id, file)));
      await processes.close();
    },
  };

  async function putDown(id: string, file: AnswerFile): Promise<void> {
    await file.flush();
    const answer = parts.shelf && (await file.read(maxPutDownBytes));
    if (answer === undefined) return;
    await parts.shelf
      ?.putDown(id, answer)
      .catch((error: unknown) =>
        logger.warn({ answer: id, error }, 'an answer stands on the disk of this gateway alone'),
      );
  }

  function look(): void {
    if (!isAsking) void takeUp().finally(() => (isAsking = false));
    for (const name of listed(directory)) {
      if (folders.has(name) || processes.isAlive(name) === true) continue;
      folders.add(name);
      void goOnWithAll(join(directory, name)).finally(() => folders.delete(name));
    }
  }

  async function takeUp(): Promise<void> {
    isAsking = true;
    const all = await parts.shelf?.findPutDown().catch(() => undefined);
    for (const left of all ?? []) {
      if (found.has(left.id)) continue;
      found.add(left.id);
      void goOnWith(left, () => parts.shelf?.readPutDown(left.id));
    }
  }

  /** All of them are found at once; each file stays until the answer has ended, or is somebody else's. */
  async function goOnWithAll(folder: string): Promise<void> {
    const ids = listed(folder);
    for (const id of ids) found.add(id);
    await Promise.all(ids.map((id) => goOnWithFile(join(folder, id), id)));
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      logger.warn({ folder, error }, 'what a process left of its answers cannot be removed'),
    );
  }

  async function goOnWithFile(path: string, id: string): Promise<void> {
    try {
      const left = { id, ...(await lookInto(path)) };
      if (await goOnWith(left, () => readFile(path))) await rm(path, { force: true });
    } catch (error) {
      found.delete(id);
      notRead(id, error);
    }
  }

  /** False when it could not be read. */
  async function goOnWith(
    { id, ...left }: LeftAnswer & { readonly id: string },
    read: () => Promise<Buffer | undefined> | undefined,
  ): Promise<boolean> {
    try {
      using _place = await takePlace(left);
      const bytes = await read();
      const answer = bytes && readAnswer(bytes, parts.maxBodyBytes);
      if (answer !== undefined && answer.body.length > 0) await parts.goOn(answer);
      return true;
    } catch (error) {
      notRead(id, error);
      return false;
    } finally {
      found.delete(id);
    }
  }

  function notRead(id: string, error: unknown): void {
    logger.warn({ answer: id, error }, 'what a process left of an answer cannot be read');
  }

  /** In memory is only what there is room for; the others wait on the disk. */
  function takePlace(left: LeftAnswer): Promise<Disposable> {
    return new Promise((begin) => {
      waiting.add({ ...left, begin });
      letIn();
    });
  }

  function letIn(): void {
    for (const one of waiting) {
      const place = placeFor(one);
      if (place === undefined) continue;
      waiting.delete(one);
      one.begin({
        [Symbol.dispose]() {
          place.leave();
          letIn();
        },
      });
    }
  }

  /** One that is larger than all of the room has it for itself. */
  function placeFor({ ownerId, bytes }: LeftAnswer): KeptPlace | undefined {
    const isAlone = room.bytes === 0;
    const place = room.takePlace(ownerId);
    if (place === undefined || place.take(bytes)) return place;
    if (isAlone) place.takeBeyond(bytes);
    else place.leave();
    return isAlone ? place : undefined;
  }

  async function lookInto(path: string): Promise<LeftAnswer> {
    await using file = await open(path);
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const { response, keyId } = readAnswer(buffer.subarray(0, bytesRead), parts.maxBodyBytes) ?? {};
    return { ownerId: response?.ownerId ?? keyId ?? '', bytes: size };
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
  return page.takeOver()[0];
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
