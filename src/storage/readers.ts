import type { QueryRunner } from './query-runner.ts';
import { openThreadRunner } from './thread-runner.ts';

const readerThreads = 2;

/** Connections that only read, each in a thread of its own; a query goes to the one with the fewest before it. */
export function openReaders(path: string): QueryRunner {
  const readers = Array.from({ length: readerThreads }, () => ({
    runner: openThreadRunner({ path, may: 'only-read' }),
    queries: 0,
  }));
  return {
    async run(query) {
      const chosen = readers.reduce((least, reader) => (reader.queries < least.queries ? reader : least));
      chosen.queries++;
      try {
        return await chosen.runner.run(query);
      } finally {
        chosen.queries--;
      }
    },
    async close() {
      await Promise.all(readers.map(({ runner }) => runner.close()));
    },
  };
}
