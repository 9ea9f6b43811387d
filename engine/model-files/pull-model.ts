import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Dispatcher } from 'undici';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { download } from './download.ts';
import { chooseFileName } from './model-file-name.ts';
import { describeReference, type ModelReference } from './model-reference.ts';
import { joinPackages } from './packages-source.ts';
import { openPartialFile, type PartialFile } from './partial-file.ts';
import { lockPull } from './pull-lock.ts';
import { pullRecordPath, readPullRecord, type PullRecord, writePullRecord } from './pull-record.ts';
import type { PullSurroundings } from './pull-surroundings.ts';
import { readGgufHeader } from '../gguf/read-gguf-header.ts';
import { UnsoundGguf } from '../gguf/unsound-gguf.ts';

export interface PullOptions {
  readonly directory: string;
  readonly name: string | undefined;
  readonly sha256: string | undefined;
  readonly mayReplace: boolean;
  readonly hub: HubAccess;
  readonly dispatcher: Dispatcher;
  readonly surroundings: PullSurroundings;
}

export interface HubAccess {
  /** Scheme and host of the model hub. */
  readonly base: string;
  readonly token: string | undefined;
}

export interface PulledFile extends PullRecord {
  readonly path: string;
  /** False when the file was here already. */
  readonly isNew: boolean;
}

/** Brings one file into the folder: all of it, checked, under its name; or nothing under that name. */
export async function pullModel(reference: ModelReference, options: PullOptions): Promise<PulledFile> {
  const { directory, surroundings } = options;
  const name = chooseFileName(reference, options.name);
  const path = join(directory, name);
  await mkdir(directory, { recursive: true });
  using _lock = lockPull(directory, name);

  const source = describeReference(reference);
  const present = await findPresent(path, source, options);
  if (present !== undefined) return { ...present, path, isNew: false };

  await using partial = await openPartialFile(`${path}.part`, source, (doneBytes) =>
    surroundings.onProgress({ phase: 'checking', doneBytes }),
  );
  const announced = await fetchInto(partial, reference, source, options);
  const bytes = partial.bytes();
  const sha256 = await partial.digest();
  await reject(partial, await findFault(partial, sha256, [options.sha256, announced]));
  const record: PullRecord = { source, sha256, bytes, pulledAt: new Date().toISOString() };
  await rm(pullRecordPath(path), { force: true });
  await partial.publish(path);
  await writePullRecord(path, record);
  return { ...record, path, isNew: true };
}

async function findPresent(
  path: string,
  source: string,
  options: PullOptions,
): Promise<PullRecord | undefined> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  if (!exists || options.mayReplace) return undefined;
  const record = await readPullRecord(path);
  const isTheSame =
    record?.source === source && (options.sha256 === undefined || record.sha256 === options.sha256);
  if (isTheSame) return record;
  throw new OperatorProblem(
    `${path} is there already and came from elsewhere. Choose another name with --name, or overwrite it with --replace.`,
  );
}

async function fetchInto(
  partial: PartialFile,
  reference: ModelReference,
  source: string,
  { directory, dispatcher, hub, surroundings }: PullOptions,
): Promise<string | undefined> {
  switch (reference.kind) {
    case 'hub': {
      const authorization = hub.token === undefined ? undefined : `Bearer ${hub.token}`;
      const url = new URL(hubPath(reference), hub.base);
      return download({ url, authorization, dispatcher }, source, partial, surroundings);
    }
    case 'web':
      return download(
        { url: reference.url, authorization: undefined, dispatcher },
        source,
        partial,
        surroundings,
      );
    case 'packages':
      await joinPackages(reference.packages, directory, partial, surroundings);
      return undefined;
    default:
      await copyFile(resolve(reference.path), partial, surroundings);
      return undefined;
  }
}

function hubPath({ repository, file, revision }: Extract<ModelReference, { kind: 'hub' }>): string {
  return `/${repository}/resolve/${encodeURIComponent(revision)}/${file}`;
}

async function copyFile(path: string, partial: PartialFile, surroundings: PullSurroundings): Promise<void> {
  await partial.startOver();
  const totalBytes = await stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      throw new OperatorProblem(`${path} cannot be read. Check the path.`, error);
    },
  );
  await surroundings.makeSureItFits(totalBytes, 0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    await partial.append(chunk);
    surroundings.onProgress({ phase: 'fetching', doneBytes: partial.bytes(), totalBytes });
  }
}

async function findFault(
  partial: PartialFile,
  sha256: string,
  expected: readonly (string | undefined)[],
): Promise<string | undefined> {
  const wrong = expected.find((digest) => digest !== undefined && digest.toLowerCase() !== sha256);
  if (wrong !== undefined)
    return `The file is not the expected one: its SHA-256 is ${sha256} instead of ${wrong}. It was thrown away; pull it again, or check the digest.`;
  try {
    await readGgufHeader(partial.path);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnsoundGguf)) throw error;
    return `The file is not usable: ${error.message}. It was thrown away; check the reference.`;
  }
}

/** Bytes that are wrong must not be taken up again by the next pull. */
async function reject(partial: PartialFile, fault: string | undefined): Promise<void> {
  if (fault === undefined) return;
  await partial.discard();
  throw new OperatorProblem(fault);
}
