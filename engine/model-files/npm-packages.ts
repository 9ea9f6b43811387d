import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorProblem } from '#vocabulary/operator-problem';

export interface FetchedPackage extends AsyncDisposable {
  readonly tarball: string;
}

/** What the registry says of the unpacked size; undefined when it does not tell. */
export async function readUnpackedBytes(packageName: string): Promise<number | undefined> {
  const text = await runNpm(packageName, ['view', packageName, 'dist.unpackedSize', '--json']);
  // A version range may match several versions; npm then lists them all and `pack` takes the last.
  const sizes: unknown = text.trim() === '' ? undefined : JSON.parse(text);
  const size: unknown = Array.isArray(sizes) ? sizes.at(-1) : sizes;
  return typeof size === 'number' ? size : undefined;
}

/**
 * Fetches a package with the npm client of this machine, as that is configured, and runs nothing of it. npm
 * checks the archive against the registry's digest. Disposing removes the archive.
 */
export async function fetchPackage(packageName: string, directory: string): Promise<FetchedPackage> {
  const folder = await mkdtemp(join(directory, '.package-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    await runNpm(packageName, ['pack', packageName, '--ignore-scripts', '--pack-destination', folder]);
    const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
    if (tarball === undefined) throw new OperatorProblem(`npm fetched nothing for ${packageName}.`);
    return { tarball: join(folder, tarball), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Package names have matched a strict shape before they come here; nothing passes through a shell. */
async function runNpm(packageName: string, args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn('npm', [...args, '--loglevel=error'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(0, 1_000_000)));
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, 10_000)));
  child.on('error', (error) =>
    reject(new OperatorProblem('npm could not be started. Install Node with npm, then pull again.', error)),
  );
  child.on('close', (code) => {
    if (code === 0) resolve(output);
    else reject(new OperatorProblem(explain(packageName, complaint)));
  });
  return promise;
}

function explain(packageName: string, complaint: string): string {
  const code = /npm error code (\S+)/.exec(complaint)?.[1] ?? 'an error';
  if (code === 'E404' || code === 'ETARGET')
    return `There is no npm package ${packageName}, or not in that version. Check the spelling.`;
  return `npm could not fetch ${packageName} (${code}). Try "npm view ${packageName}" to see why.`;
}
