import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { EngineIdentity } from '#vocabulary/receipts';

/** A file that was replaced is noticed within this time. */
const freshMs = 60_000;

/** What the embedded engines run: known from their files, one entry for each. */
export interface WeightsFiles {
  /** What is known now; looks again, in the background, when that was a while ago. */
  of(modelFile: string): EngineIdentity;
}

export interface WeightsFilesParts {
  readonly version: string;
  /** The parts of a model that comes in several files. */
  readonly partsOf: (modelFile: string) => readonly string[];
  readonly templateDigest: (modelFile: string) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createWeightsFiles(parts: WeightsFilesParts): WeightsFiles {
  const { version, clock, logger } = parts;
  const known = new Map<string, Known>();

  return {
    of(modelFile) {
      let entry = known.get(modelFile);
      if (entry === undefined) {
        entry = { identity: unknown(modelFile), stamp: '', lookedMs: -Infinity, isLooking: false };
        known.set(modelFile, entry);
      }
      if (!entry.isLooking && clock.monotonicMs() - entry.lookedMs >= freshMs) void look(modelFile, entry);
      return entry.identity;
    },
  };

  /** Never rejects: what cannot be read stays unknown. */
  async function look(modelFile: string, entry: Known): Promise<void> {
    entry.isLooking = true;
    try {
      const files = parts.partsOf(modelFile);
      const stamp = await stampOf(files);
      if (stamp !== entry.stamp) {
        entry.identity = unknown(modelFile);
        const [weightsSha256, templateSha256] = await Promise.all([
          digestOf(files),
          parts.templateDigest(modelFile).catch(() => undefined),
        ]);
        entry.identity = { ...entry.identity, weightsSha256, templateSha256 };
        entry.stamp = stamp;
      }
      entry.identity = { ...entry.identity, asOf: clock.wallMs() };
    } catch (error) {
      logger.warn({ error, modelFile }, 'the digest of a model file is not known; receipts go without it');
    }
    entry.lookedMs = clock.monotonicMs();
    entry.isLooking = false;
  }

  function unknown(modelFile: string): EngineIdentity {
    return {
      version,
      weights: basename(modelFile),
      weightsSha256: undefined,
      templateSha256: undefined,
      asOf: clock.wallMs(),
    };
  }
}

interface Known {
  identity: EngineIdentity;
  /** Changes with the files. */
  stamp: string;
  lookedMs: number;
  isLooking: boolean;
}

async function stampOf(files: readonly string[]): Promise<string> {
  const stats = await Promise.all(files.map((file) => stat(file)));
  return stats.map(({ size, mtimeMs, ino }) => `${size} ${mtimeMs} ${ino}`).join('\n');
}

function digestOf(files: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./digest-thread.ts', import.meta.url), { workerData: files });
    worker.unref();
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without a digest')));
  });
}
