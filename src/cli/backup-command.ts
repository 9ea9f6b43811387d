import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { LastBackup } from '#vocabulary/service-notes';
import { WrongUse, type Command } from './command.ts';
import { contentsInWords } from './contents-in-words.ts';
import { withBooks } from './open-books.ts';
import { bytesInWords } from './models/in-words.ts';
import { programVersion } from '../program-version.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Copy everything worth keeping into one file, also while the service runs',
  usage: `Usage: gatehouse backup FILE|FOLDER [--settings FILE] [--json]

Writes one file that holds people, keys, chats, usage, the settings file and the engines and models made
beside it, as they are at this moment. The service may run meanwhile; nobody waits. Into a folder, which is
made when its name has no ending, the file gets a name with the time. The file appears when it is complete
and checked, readable by its owner alone. It holds secrets: keep it like a password.
A PostgreSQL database is backed up with its own tools instead; this command then says so.
Not in it: downloaded models, certificates, and secrets that the settings take from other files.

  --settings FILE  read this file instead of gatehouse.yaml
  --json           print what is in the backup as JSON`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { settings: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const [place, ...others] = positionals;
    if (place === undefined || others.length > 0)
      throw new WrongUse('Name one file or folder for the backup.');
    const target = chooseTarget(resolve(place));
    const {
      interrupted,
      settingsText,
      managedText: _secret,
      ...contents
    } = await backUp(target, values.settings);
    await noteBackup(values.settings, contents.bytes);
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ ...contents, runningRequests: interrupted, hasSettings: settingsText !== undefined })}\n`
        : `${target}\n`,
    );
    const running =
      interrupted === 0 ? '' : ` (${interrupted} of requests that were running, as interrupted)`;
    const settings = settingsText === undefined ? 'no settings file' : 'the settings file';
    process.stderr.write(
      `${bytesInWords(contents.bytes)}: ${contentsInWords(contents)}${running}, ${settings}. Complete and checked.\n`,
    );
    return 0;
  },
};

async function backUp(target: string, settingsFile: string | undefined) {
  const [{ copyJournals }, { loadSettings }, { makeBackup }] = await Promise.all([
    import('#accounting'),
    import('#settings'),
    import('#storage'),
  ]);
  const { settings, file } = loadSettings({
    file: settingsFile,
    environment: process.env,
    workingDirectory: process.cwd(),
  });
  if (settings.database !== undefined)
    throw new OperatorProblem(
      'The database is PostgreSQL, which is backed up with its own tools (pg_dump, or the archive of its server). For one file of ours, stop the gateways and copy it into a folder: gatehouse database copy --from env:GATEHOUSE_DATABASE --to FOLDER.',
    );
  const scratch = makeScratch(target);
  try {
    const journals = copyJournals(settings.dataDir, join(scratch, 'journal'));
    let interrupted = 0;
    const contents = await makeBackup({
      dataDir: settings.dataDir,
      scratch,
      target,
      version: programVersion(),
      settings: existsSync(file) ? { path: file, text: readFileSync(file, 'utf8') } : undefined,
      addUsage: async (applier) => {
        interrupted = await journals.applyTo(applier);
      },
    });
    return { ...contents, path: target, interrupted };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** So that the overview can say when the last one was made. A backup is no worse for not being noted. */
async function noteBackup(settingsFile: string | undefined, bytes: number): Promise<void> {
  const note: LastBackup = { madeAt: Date.now(), bytes };
  try {
    await withBooks(settingsFile, async ({ storage }) => {
      await storage.serviceNotes.write('last-backup', JSON.stringify(note));
      return 0;
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    process.stderr.write(`The backup is made, but the overview will not know of it: ${reason}\n`);
  }
}

function chooseTarget(place: string): string {
  if (!existsSync(place) && extname(place) === '') makeFolder(place);
  const isFolder = existsSync(place) && statSync(place).isDirectory();
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const target = isFolder ? join(place, `gatehouse-${time}Z.backup`) : place;
  if (existsSync(target)) throw new OperatorProblem(`${target} exists already. Name another file.`);
  return target;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function makeScratch(target: string): string {
  try {
    return mkdtempSync(`${target}.partial-`);
  } catch (cause) {
    throw unwritable(target, cause);
  }
}

function unwritable(path: string, cause: unknown): OperatorProblem {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new OperatorProblem(
    `Nothing can be written in ${dirname(path)} (${reason}). Choose another place for the backup.`,
    cause,
  );
}
