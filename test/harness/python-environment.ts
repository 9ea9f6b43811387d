import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolderOf } from './cache-folder.ts';

/** Something that cannot be had here, with the reason as a sentence. */
export class CannotBeHad extends Error {}

export const cacheFolder = cacheFolderOf('engines');

export interface PythonEnvironment {
  /** The interpreter of the environment. */
  readonly python: string;
  readonly packagesFolder: string;
  install(...words: readonly string[]): Promise<void>;
  /** What an installed distribution asks for, without its extras. */
  requirementsOf(distribution: string): Promise<string[]>;
}

/** An environment of the suite's own, filled once and kept until its name changes. */
export async function bringEnvironment(
  name: string,
  fill: (environment: PythonEnvironment) => Promise<void>,
): Promise<PythonEnvironment> {
  const folder = join(cacheFolder, name);
  const isFilled = join(folder, 'filled');
  if (existsSync(isFilled)) return environmentIn(folder);
  process.stderr.write(`Filling ${folder}: this downloads packages and can take many minutes.\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cacheFolder, { recursive: true });
  const interpreter = await findInterpreter();
  await inWords(run(interpreter, ['-m', 'venv', folder]), 'Python cannot make a virtual environment');
  const environment = await environmentIn(folder);
  await fill(environment);
  writeFileSync(isFilled, '');
  return environment;
}

async function environmentIn(folder: string): Promise<PythonEnvironment> {
  const python = join(folder, 'bin/python');
  const { stdout } = await run(python, ['-c', 'import site; print(site.getsitepackages()[0])']);
  return {
    python,
    packagesFolder: stdout.trim(),
    install: (...words) =>
      inWords(
        run(python, ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', '--no-compile', ...words]),
        `\`pip install ${words.join(' ').slice(0, 80)}\` failed`,
      ),
    requirementsOf: async (distribution) => {
      const program = 'import importlib.metadata as m, sys; print("\\n".join(m.requires(sys.argv[1]) or []))';
      const required = await run(python, ['-c', program, distribution]);
      return required.stdout.split('\n').filter((line) => line !== '' && !line.includes('extra =='));
    },
  };
}

/** The packages of the engines exist for Python 3.11 and later; `GATEHOUSE_PYTHON` names another interpreter. */
async function findInterpreter(): Promise<string> {
  for (const name of [process.env['GATEHOUSE_PYTHON'] ?? 'python3', 'python3.12', 'python3.13']) {
    const program = 'import sys; print(sys.executable if sys.version_info >= (3, 11) else "")';
    const found = await run(name, ['-c', program]).catch(() => undefined);
    const path = found?.stdout.trim() ?? '';
    if (path !== '') return path;
  }
  throw new CannotBeHad('Python 3.11 or later is needed');
}

/** Others use this machine too. */
const run = (program: string, words: readonly string[]) =>
  promisify(execFile)('nice', ['-n', '15', program, ...words], { maxBuffer: 64 * 1024 * 1024 });

async function inWords(work: Promise<unknown>, sentence: string): Promise<void> {
  try {
    await work;
  } catch (cause) {
    const told = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new CannotBeHad(`${sentence}: ${told.split('\n').at(-1)}`, { cause });
  }
}
