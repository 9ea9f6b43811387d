import { on } from 'node:events';
import { createReadStream } from 'node:fs';
import { Parser, type ReadEntry } from 'tar';
import { OperatorProblem } from '#vocabulary/operator-problem';

export interface TarEntry {
  /** As written in the archive: data, not a path to be used. */
  readonly name: string;
  readonly isExecutable: boolean;
  /** To be read before the next entry is asked for; what is left is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

/** The plain files of a `.tgz`, in order and without unpacking anything. Links and devices are left out. */
export async function* tarEntries(path: string): AsyncGenerator<TarEntry> {
  const parser = new Parser({ strict: true });
  const source = createReadStream(path);
  source.on('error', (error) => parser.abort(error));
  source.pipe(parser);
  let current: ReadEntry | undefined;
  // An archive that ends too early would leave whoever reads its last file waiting.
  parser.on('error', (error: Error) => current?.destroy(broken(error)));
  try {
    for await (const [entry] of on(parser, 'entry', { close: ['end'] }) as AsyncIterable<[ReadEntry]>) {
      current = entry;
      const isFile = entry.type === 'File' || entry.type === 'OldFile';
      if (isFile) yield { name: entry.path, isExecutable: ((entry.mode ?? 0) & 0o111) !== 0, content: entry };
      entry.resume();
    }
  } catch (cause) {
    if (cause instanceof OperatorProblem) throw cause;
    throw broken(cause);
  } finally {
    source.destroy();
  }
}

function broken(cause: unknown): OperatorProblem {
  return new OperatorProblem(
    'The package is broken: its archive ends too early or makes no sense. Try again.',
    cause,
  );
}
