import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorProblem } from '#vocabulary/operator-problem';

/** What must still be true of a source for its bytes to fit behind the ones already here. */
export interface SourceMark {
  readonly source: string;
  /** A strong validator from the server. */
  readonly etag: string;
  readonly totalBytes: number;
}

export interface PartialFile extends AsyncDisposable {
  readonly path: string;
  bytes(): number;
  /** Of the bytes that were here before. Undefined when there are none worth keeping. */
  readonly mark: SourceMark | undefined;
  append(chunk: Uint8Array): Promise<void>;
  startOver(): Promise<void>;
  keepMark(mark: SourceMark): Promise<void>;
  /** Bytes are on disk afterwards. Called once, before `publish`. */
  digest(): Promise<string>;
  /** Gives the file its real name, in one step. */
  publish(path: string): Promise<void>;
  discard(): Promise<void>;
}

/**
 * A model file on its way in: written beside its place under a name nobody serves, its digest counted in
 * passing. What an earlier pull of the same source left behind is taken up again.
 */
export async function openPartialFile(
  path: string,
  source: string,
  onChecked: (checkedBytes: number) => void,
): Promise<PartialFile> {
  const markPath = `${path}.json`;
  const mark = await readMark(markPath, source);
  let file: FileHandle | undefined = await open(path, mark === undefined ? 'w' : 'a+', 0o644);
  let hash: Hash = createHash('sha256');
  let bytes = 0;
  if (mark !== undefined) {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      onChecked(bytes);
    }
  }

  const opened = (): FileHandle => {
    if (file === undefined) throw new Error('The partial file is closed.');
    return file;
  };
  const close = async (): Promise<void> => {
    const closing = file;
    file = undefined;
    await closing?.close();
  };

  return {
    path,
    mark,
    bytes: () => bytes,
    async append(chunk) {
      try {
        await writeAll(opened(), chunk);
      } catch (error) {
        // A part of the chunk may be there; the digest and the length must agree with the file again.
        await opened().truncate(bytes);
        throw explainWriteError(error, path);
      }
      hash.update(chunk);
      bytes += chunk.length;
    },
    async startOver() {
      await opened().truncate(0);
      await rm(markPath, { force: true });
      hash = createHash('sha256');
      bytes = 0;
    },
    async keepMark(next) {
      await writeFile(markPath, JSON.stringify(next));
    },
    async digest() {
      await opened().sync();
      await close();
      return hash.digest('hex');
    },
    async publish(finalPath) {
      await rename(path, finalPath);
      await rm(markPath, { force: true });
      await syncDirectory(dirname(finalPath));
    },
    async discard() {
      await close();
      await rm(path, { force: true });
      await rm(markPath, { force: true });
    },
    async [Symbol.asyncDispose]() {
      const isEmpty = file !== undefined && bytes === 0;
      await close();
      if (isEmpty) await rm(path, { force: true });
    },
  };
}

async function readMark(path: string, source: string): Promise<SourceMark | undefined> {
  try {
    const mark = JSON.parse(await readFile(path, 'utf8')) as SourceMark;
    return mark.source === source && typeof mark.etag === 'string' ? mark : undefined;
  } catch {
    return undefined;
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written);
    written += bytesWritten;
  }
}

function explainWriteError(error: unknown, path: string): Error {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new OperatorProblem(
      `The disk of ${dirname(path)} is full. Make room and pull again: what is here already is kept.`,
      error,
    );
  return new OperatorProblem(`${path} cannot be written (${code ?? String(error)}). Check the disk.`, error);
}

/** Not every system can sync a folder; the rename itself is safe either way. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory, 'r');
    await handle.sync();
  } catch {
    // Nothing depends on it.
  }
}
