import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { exitStatus, WrongUse } from '../command.ts';
import { bytesInWords } from './in-words.ts';
import { folderOptions, openModelsFolder } from './models-folder.ts';

export async function removeModel(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...folderOptions, yes: { type: 'boolean', short: 'y', default: false } },
  });
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0)
    throw new WrongUse('Name one file, as "models list" shows it.');

  const { files, engines } = openModelsFolder(values);
  const entry = (await files.list()).find((candidate) => candidate.name === name);
  if (entry !== undefined && !values.yes) {
    const user = engines.find(({ embedded }) => embedded?.modelFile === entry.path);
    const use = user === undefined ? '' : ` The engine ${user.name} uses it.`;
    const question = `Delete ${name} (${bytesInWords(entry.bytes)})?${use} [y/N] `;
    if (!(await isAgreed(question))) return exitStatus.failed;
  }
  await files.remove(name);
  process.stdout.write(`Removed ${name}.\n`);
  return 0;
}

async function isAgreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new WrongUse('Nobody is there to be asked: add --yes to delete the file.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
