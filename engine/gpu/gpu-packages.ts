import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { fetchPackage } from '../model-files/npm-packages.ts';
import { tarEntries } from '../model-files/tar-entries.ts';

export type GpuChoice = 'cuda' | 'vulkan';

export interface GpuPackages {
  readonly names: readonly string[];
  readonly version: string;
  readonly directory: string;
}

/**
 * The packages that let the embedded engine use a graphics processor. They are large, so the default install
 * leaves them out; they must have the very version of the library they belong to.
 */
export async function planGpuPackages(
  choice: GpuChoice,
  machine: { readonly platform: string; readonly architecture: string },
): Promise<GpuPackages> {
  const system = { linux: 'linux', win32: 'win' }[machine.platform];
  if (system === undefined || machine.architecture !== 'x64')
    throw new OperatorProblem(
      machine.platform === 'darwin'
        ? 'On a Mac with Apple silicon the graphics processor is used without further packages.'
        : 'There are no ready-made packages for this machine. Run llama-server, vLLM or SGLang beside Gatehouse and name it as an engine in the settings.',
    );
  const base = `@node-llama-cpp/${system}-x64-${choice}`;
  const library = libraryDirectory();
  const manifest = JSON.parse(await readFile(join(library, 'package.json'), 'utf8')) as { version: string };
  return {
    names: choice === 'cuda' ? [base, `${base}-ext`] : [base],
    version: manifest.version,
    directory: dirname(library),
  };
}

/** Puts the packages beside the library. Run again after every `npm install`, which clears them away. */
export async function installGpuPackages(
  { names, version, directory }: GpuPackages,
  onPackage: (name: string) => void,
): Promise<void> {
  for (const name of names) {
    onPackage(name);
    const target = join(directory, ...name.split('/'));
    await using fetched = await fetchPackage(`${name}@${version}`, directory);
    await rm(`${target}.new`, { recursive: true, force: true });
    await unpack(fetched.tarball, `${target}.new`);
    await rm(target, { recursive: true, force: true });
    await rename(`${target}.new`, target);
  }
}

function libraryDirectory(): string {
  const entry = fileURLToPath(import.meta.resolve('node-llama-cpp'));
  return entry.slice(0, entry.lastIndexOf('node-llama-cpp') + 'node-llama-cpp'.length);
}

async function unpack(tarball: string, target: string): Promise<void> {
  for await (const { name, content, isExecutable } of tarEntries(tarball)) {
    const segments = name.split('/').slice(1);
    if (segments.length === 0 || !segments.every(isPlainSegment))
      throw new OperatorProblem('The package is broken: it names a file outside of itself.');
    const path = join(target, ...segments);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode: isExecutable ? 0o755 : 0o644 });
  }
}

function isPlainSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[\\:\0]/.test(segment);
}

export { probeGpu } from './probe-gpu.ts';
