/**
 * Runs the test files that the patterns name, each in a process of its own, three at a time. A file that fails is run
 * once more, by itself, when the others are done: whoever breaks the code sees it fail twice, and a test that lost a
 * race on a busy machine is told as unsteady, which is a defect to be mended, instead of stopping everybody.
 */
import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const files = globSync(process.argv.slice(2)).toSorted();
if (files.length === 0) throw new Error('No test file has such a name');

const failed = await filesThatFail(files, 3);
const stillFailed = failed.length === 0 ? [] : await runAgain(failed);
const unsteady = failed.filter((file) => !stillFailed.includes(file));
if (unsteady.length > 0) tell('Unsteady (failed, then passed alone; please mend)', unsteady);
if (stillFailed.length > 0) tell('Failed twice', stillFailed);
process.exit(stillFailed.length > 0 ? 1 : 0);

async function runAgain(names: readonly string[]): Promise<string[]> {
  tell('Failed, and run again alone', names);
  return filesThatFail(names, 1);
}

async function filesThatFail(names: readonly string[], concurrency: number): Promise<string[]> {
  const failing = new Set<string>();
  const events = run({
    files: names,
    concurrency,
    timeout: 240_000,
    forceExit: true,
    execArgv: ['--import', new URL('harness/test-process.ts', import.meta.url).href],
  });
  events.on('test:fail', ({ file }) => {
    failing.add(relative('', file ?? ''));
  });
  // A test may be written in another file than the one that was run; its summary knows.
  events.on('test:summary', ({ file, success }) => {
    if (!success && file !== undefined) failing.add(relative('', file));
  });
  for await (const line of events.compose(spec)) process.stdout.write(line as string);
  return names.filter((name) => failing.has(name));
}

function tell(what: string, names: readonly string[]): void {
  process.stdout.write(`\n${what}:\n${names.map((name) => `  ${name}\n`).join('')}\n`);
}
