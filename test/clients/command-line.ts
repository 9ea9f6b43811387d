import { spawn } from 'node:child_process';

/** One run of a program somebody else wrote. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Run {
  /** Written to standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Asked after every piece of output; true ends the program as Ctrl-C would. */
  readonly interruptWhen?: (stdout: string) => boolean;
}

/** A program that is not there fails the test with a sentence: leaving the test out would hide what is unproven. */
export async function runProgram(program: string, args: readonly string[], run: Run = {}): Promise<Finished> {
  const { promise, resolve, reject } = Promise.withResolvers<Finished>();
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...run.env },
    ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (run.interruptWhen?.(stdout) === true) child.kill('SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.on('error', (cause) => {
    reject(new Error(`This test needs ${program}, which could not be started. Install it.`, { cause }));
  });
  child.on('close', (status) => resolve({ status, stdout, stderr }));
  child.stdin.on('error', () => {});
  child.stdin.end(run.input ?? '');
  return await promise;
}
