import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { WrongUse, type Command } from './command.ts';
import { contentsInWords } from './contents-in-words.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Bring a backup back',
  usage: `Usage: gatehouse restore BACKUP [--data-dir FOLDER] [--replace] [--write-settings FILE]

Checks the backup, every page of it, and puts its database into the data folder. Refuses while a service
uses the folder. What the folder held before is moved aside and never deleted.

  --data-dir FOLDER      restore into this folder instead of the one in the settings
  --replace              allow it when the folder already holds a database
  --write-settings FILE  also write the settings file of the backup; must not exist yet
  --settings FILE        read this file instead of gatehouse.yaml

Keys, people and sessions are as they were at the time of the backup: what was revoked since is valid again.`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'data-dir': { type: 'string' },
        replace: { type: 'boolean', default: false },
        'write-settings': { type: 'string' },
        settings: { type: 'string' },
      },
    });
    const [backup, ...others] = positionals;
    if (backup === undefined || others.length > 0) throw new WrongUse('Name one backup to restore.');
    const dataDir = await chooseDataDir(values['data-dir'], values.settings);
    const { contents, movedTo } = await bringBack(resolve(backup), dataDir, {
      mayReplace: values.replace,
      settingsTarget: values['write-settings'],
    });
    process.stdout.write(`${dataDir}\n`);
    process.stderr.write(`Restored as of ${contents.madeAt}: ${contentsInWords(contents)}.\n`);
    if (movedTo !== undefined) process.stderr.write(`What was there before is now in ${movedTo}.\n`);
    return 0;
  },
};

async function chooseDataDir(named: string | undefined, settingsFile: string | undefined): Promise<string> {
  if (named !== undefined) return resolve(named);
  const { loadSettings } = await import('#settings');
  const origin = { file: settingsFile, environment: process.env, workingDirectory: process.cwd() };
  const { settings } = loadSettings(origin);
  if (settings.database !== undefined)
    throw new OperatorProblem(
      'The settings name a PostgreSQL database, into which no backup of ours goes. Restore into a folder with --data-dir FOLDER, then move it: gatehouse database copy --from FOLDER --to env:GATEHOUSE_DATABASE.',
    );
  return settings.dataDir;
}

async function bringBack(
  file: string,
  dataDir: string,
  wishes: { readonly mayReplace: boolean; readonly settingsTarget: string | undefined },
) {
  const [{ inspectJournals }, { readBackup, restoreBackup }] = await Promise.all([
    import('#accounting'),
    import('#storage'),
  ]);
  if (inspectJournals(dataDir).livingOwners > 0)
    throw new OperatorProblem(
      `A service is running on ${dataDir}. Stop it first, or restore into another folder.`,
    );
  const { settingsTarget, mayReplace } = wishes;
  const { settingsText } = readBackup(file);
  if (settingsTarget !== undefined) {
    if (settingsText === undefined) throw new OperatorProblem('The backup holds no settings file.');
    if (existsSync(settingsTarget))
      throw new OperatorProblem(`${settingsTarget} exists already. Name another file.`);
  }
  const restored = restoreBackup({ file, dataDir, mayReplace });
  if (settingsTarget !== undefined && settingsText !== undefined)
    writeFileSync(settingsTarget, settingsText, { mode: 0o600, flag: 'wx' });
  return restored;
}
