import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { isModelFileName } from './model-file-name.ts';
import { parseModelReference } from './model-reference.ts';
import { isLaterShard, shardPaths, shardReferences } from './model-shards.ts';
import { type HubAccess, type PulledFile, pullModel } from './pull-model.ts';
import { pullRecordPath, type PullRecord, readPullRecord } from './pull-record.ts';
import { createSurroundings, type SurroundingsOptions } from './pull-surroundings.ts';

/** The folder of model files: what is in it, what comes in and what goes. */
export interface ModelFiles {
  readonly directory: string;
  pull(reference: string, options?: PullRequest): Promise<readonly PulledFile[]>;
  list(): Promise<readonly ModelFileEntry[]>;
  /** Takes the name as `list` gives it, and nothing else: a name never becomes a path. */
  remove(name: string): Promise<void>;
}

export interface PullRequest extends Pick<SurroundingsOptions, 'maxBytes' | 'onProgress'> {
  readonly name?: string | undefined;
  readonly sha256?: string | undefined;
  readonly mayReplace?: boolean;
}

export interface ModelFileEntry {
  readonly name: string;
  readonly path: string;
  /** Of all parts of a model that comes in several files. */
  readonly bytes: number;
  /** Undefined for a file that was put here by hand. */
  readonly record: PullRecord | undefined;
}

export interface ModelFilesParts extends Pick<SurroundingsOptions, 'freeBytes' | 'pause'> {
  readonly directory: string;
  readonly hub: HubAccess;
  readonly dispatcher?: Dispatcher;
}

export function createModelFiles(parts: ModelFilesParts): ModelFiles {
  const { directory, hub } = parts;

  async function list(): Promise<ModelFileEntry[]> {
    const names = await readdir(directory).catch(() => []);
    const models = names.filter((name) => isModelFileName(name) && !isLaterShard(name)).sort();
    return Promise.all(models.map((name) => describe(join(directory, name))));
  }

  return {
    directory,
    list,
    async pull(text, request = {}) {
      const references = shardReferences(parseModelReference(text));
      if (references.length > 1 && (request.name !== undefined || request.sha256 !== undefined))
        throw new OperatorProblem(
          'This model comes in several files: leave out --name and --sha256, which fit only one.',
        );
      await using connections = openConnections(parts.dispatcher);
      const pulled: PulledFile[] = [];
      for (const reference of references)
        pulled.push(
          await pullModel(reference, {
            directory,
            name: request.name,
            sha256: request.sha256,
            mayReplace: request.mayReplace ?? false,
            hub,
            dispatcher: connections.dispatcher,
            surroundings: createSurroundings({ ...parts, ...request }),
          }),
        );
      return pulled;
    },
    async remove(name) {
      const entry = (await list()).find((candidate) => candidate.name === name);
      if (entry === undefined)
        throw new OperatorProblem(
          `There is no model file ${JSON.stringify(name)} in ${directory}. "gatehouse models list" shows what is there.`,
        );
      for (const path of shardPaths(entry.path)) {
        await rm(path, { force: true });
        await rm(pullRecordPath(path), { force: true });
      }
    },
  };
}

/** Through the proxy of the environment, if it names one. */
function openConnections(given: Dispatcher | undefined): AsyncDisposable & { dispatcher: Dispatcher } {
  const dispatcher = given ?? new EnvHttpProxyAgent();
  return {
    dispatcher,
    [Symbol.asyncDispose]: async () => (given === undefined ? dispatcher.destroy() : undefined),
  };
}

async function describe(path: string): Promise<ModelFileEntry> {
  const sizes = await Promise.all(
    shardPaths(path).map((shard) =>
      stat(shard).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { name: basename(path), path, bytes, record: await readPullRecord(path) };
}

export { checkModelFile } from '../gguf/check-model-file.ts';
export { readModelTemplate } from '../gguf/read-model-template.ts';
export { shardPaths } from './model-shards.ts';
export { inspectModelFile, type ModelInspection } from '../gguf/inspect-model-file.ts';
export type { PullProgress } from './pull-surroundings.ts';
