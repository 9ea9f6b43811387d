import { nearestWord } from '#vocabulary/nearest-word';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { Refusal } from '#vocabulary/refusal';
import { commands } from './commands.ts';
import { exitStatus, WrongUse, type Command } from './command.ts';
import { argumentMistake, refuseForeignOptions } from './known-options.ts';
import { programVersion } from '../program-version.ts';

/** `gatehouse <command>`: finds the command, runs it and turns what goes wrong into words and an exit status. */
export async function runCli(args: readonly string[]): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--version' || name === '-v' || name === 'version') return print(programVersion());
  if (name === '--help' || name === '-h') return print(overview());
  if (name === 'help' && rest.length === 0) return print(overview());

  const wanted = name === 'help' ? (rest[0] ?? '') : name;
  const command = commands.find((known) => known.name === wanted);
  if (command === undefined) return complain(unknown(wanted), exitStatus.wrongUse);
  if (name === 'help' || asksForHelp(rest)) return print(command.usage);
  try {
    refuseForeignOptions(command, rest);
    return await command.run(rest);
  } catch (error) {
    return await explain(error, command, rest);
  }
}

async function explain(error: unknown, command: Command, args: readonly string[]): Promise<number> {
  const { SettingsMistakes } = await import('#settings');
  if (error instanceof SettingsMistakes) return complain(error.message, exitStatus.settingsMistakes);
  if (error instanceof WrongUse || isArgumentMistake(error)) {
    const sentence =
      error instanceof WrongUse ? error.message : argumentMistake(command, args, error.message);
    return complain(`${sentence}\nSee: gatehouse ${command.name} --help`, exitStatus.wrongUse);
  }
  if (error instanceof OperatorProblem || error instanceof Refusal) {
    return complain(error.message, exitStatus.failed);
  }
  return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), exitStatus.failed);
}

/** What `node:util` throws about arguments. */
function isArgumentMistake(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Not what stands behind `--`: that belongs to the command. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return own.includes('--help') || own.includes('-h');
}

function unknown(name: string): string {
  const meant = nearestWord(
    name,
    commands.map((command) => command.name),
  );
  const advice = meant === undefined ? 'See: gatehouse --help' : `Did you mean: gatehouse ${meant}`;
  return `There is no command "${name}".\n${advice}`;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `Gatehouse ${programVersion()}: a self-hosted language-model inference service`,
    '',
    'Usage: gatehouse <command> [options]',
    '',
    ...lines,
    '',
    'gatehouse <command> --help tells more; gatehouse --version prints the version.',
  ].join('\n');
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function complain(text: string, status: number): number {
  process.stderr.write(`${text}\n`);
  return status;
}

if (import.meta.main) process.exitCode = await runCli(process.argv.slice(2));
