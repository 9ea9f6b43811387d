import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './command-line.ts';
import type { Finished } from './command-line.ts';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A folder in which a text is run as if a reader had pasted it, with the packages the text asks to install. */
export interface SnippetBench {
  readonly folder: string;
  run(
    language: 'sh' | 'python' | 'ts',
    text: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<Finished>;
  clear(): Promise<void>;
}

export async function openSnippetBench(): Promise<SnippetBench> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-snippets-'));
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  let count = 0;
  return {
    folder,
    run: async (language, text, env = {}) => {
      count += 1;
      const file = join(folder, `snippet-${count}.${language === 'python' ? 'py' : language}`);
      await writeFile(file, text);
      const { program, cwd, extra } = runners[language];
      return await runProgram(program, [file], { cwd: cwd ?? folder, env: { ...extra, ...env } });
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

interface Runner {
  readonly program: string;
  readonly cwd?: string;
  readonly extra: Readonly<Record<string, string>>;
}

const runners: Record<'sh' | 'python' | 'ts', Runner> = {
  sh: { program: 'sh', cwd: repository, extra: {} },
  python: {
    program: 'python3',
    extra: {
      PYTHONPATH: fileURLToPath(new URL('python-stand-ins/', import.meta.url)),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  },
  ts: { program: process.execPath, extra: {} },
};
