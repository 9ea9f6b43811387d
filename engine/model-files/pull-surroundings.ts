import { statfs } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { OperatorProblem } from '#vocabulary/operator-problem';

export type PullProgress =
  | { readonly phase: 'checking'; readonly doneBytes: number }
  | { readonly phase: 'fetching'; readonly doneBytes: number; readonly totalBytes: number | undefined }
  | { readonly phase: 'waiting'; readonly detail: string }
  | { readonly phase: 'package'; readonly detail: string };

export interface PullSurroundings {
  readonly maxBytes: number;
  readonly onProgress: (progress: PullProgress) => void;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Throws when the file is larger than allowed or than the disk has room for. */
  makeSureItFits(totalBytes: number | undefined, haveBytes: number): Promise<void>;
}

export interface SurroundingsOptions {
  readonly directory: string;
  readonly maxBytes?: number | undefined;
  readonly onProgress?: ((progress: PullProgress) => void) | undefined;
  readonly freeBytes?: ((directory: string) => Promise<number>) | undefined;
  readonly pause?: ((ms: number) => Promise<unknown>) | undefined;
}

export function createSurroundings(options: SurroundingsOptions): PullSurroundings {
  const maxBytes = options.maxBytes ?? usualMaxBytes;
  const freeBytes = options.freeBytes ?? freeDiskBytes;
  return {
    maxBytes,
    onProgress: options.onProgress ?? (() => {}),
    pause: options.pause ?? ((ms) => setTimeout(ms)),
    async makeSureItFits(totalBytes, haveBytes) {
      if (totalBytes === undefined) return;
      if (totalBytes > maxBytes)
        throw new OperatorProblem(
          `The file has ${gigabytes(totalBytes)} GB, more than the limit of ${gigabytes(maxBytes)} GB. If that is right, raise --max-size.`,
        );
      const free = await freeBytes(options.directory);
      const needed = totalBytes - haveBytes + reserveBytes;
      if (free < needed)
        throw new OperatorProblem(
          `The disk of ${options.directory} has ${gigabytes(free)} GB free and ${gigabytes(needed)} GB are needed. Make room, or choose another folder with --dir.`,
        );
    },
  };
}

const usualMaxBytes = 500e9;
/** The database and the journal live on the same disk. */
const reserveBytes = 200e6;

async function freeDiskBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(bytes < 100e9 ? 1 : 0);
}
