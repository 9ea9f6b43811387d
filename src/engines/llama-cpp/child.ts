import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createLineLogger } from './line-logger.ts';
import type { EngineProgramOptions } from './engine-program.ts';

/**
 * The process the supervisor starts. Its configuration is one JSON text: the first argument, the file the
 * first argument names, or the first line of the standard input. It says `{type: 'ready', facts}` over the
 * channel (or on the standard output where there is none) and ends when its parent does.
 */
type ChildConfiguration = Omit<EngineProgramOptions, 'listen' | 'logger'> & { readonly socketPath: string };

const logger = createLineLogger(process.stderr);

function say(message: object): void {
  if (process.send === undefined) process.stdout.write(`${JSON.stringify({ ready: true, ...message })}\n`);
  else process.send(message);
}

async function readConfiguration(): Promise<ChildConfiguration> {
  const [argument] = process.argv.slice(2);
  if (argument?.trimStart().startsWith('{')) return JSON.parse(argument) as ChildConfiguration;
  if (argument !== undefined) return JSON.parse(readFileSync(argument, 'utf8')) as ChildConfiguration;
  for await (const line of createInterface({ input: process.stdin })) {
    return JSON.parse(line) as ChildConfiguration;
  }
  throw new Error('No configuration: pass it as JSON in the first argument or on the standard input.');
}

/** A gateway that was killed cannot stop its engines; they notice by themselves. */
function endWithParent(): void {
  const parent = process.ppid;
  process.on('disconnect', () => process.exit(0));
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, 1000).unref();
}

try {
  endWithParent();
  // Half a second of the start is compiling; beside the packages nobody but the installer can write.
  enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/gatehouse', import.meta.url)));
  const { startEngineProgram } = await import('./engine-program.ts');
  const { socketPath, ...options } = await readConfiguration();
  const program = await startEngineProgram({ ...options, listen: { socketPath }, logger });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void program.close().finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  // Ctrl-C in a terminal reaches the whole group; the gateway lets answers finish first and then tells us.
  process.on('SIGINT', process.send === undefined ? stop : () => {});
  say({ type: 'ready', facts: program.facts });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  logger.error({ err: error }, 'the engine could not start');
  if (process.send === undefined) process.exit(1);
  process.send({ type: 'failed', reason }, () => process.exit(1));
}
