import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { EngineConfiguration, EngineOrder } from './engine.ts';
import { createLineLogger } from './line-logger.ts';

/** The process that `startEngine` starts, and that ends when its parent does. */
const logger = createLineLogger(process.stderr);

/** A parent that was killed cannot stop its engines; they notice by themselves. */
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
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url)));
  const { startEngineProgram } = await import('./engine-program.ts');
  const configuration = JSON.parse(process.argv[2] ?? '{}') as EngineConfiguration;
  const program = await startEngineProgram({
    ...configuration,
    logger,
    onBroken: (error) => {
      logger.error({ error }, 'no step succeeds any more');
      end(1);
    },
  });
  let isStopping = false;
  const end = (status: number): void => {
    if (isStopping) return;
    isStopping = true;
    void program.close().finally(() => process.exit(status));
  };
  process.on('SIGTERM', () => end(0));
  process.on('message', (message: EngineOrder) => {
    if (message.type === 'serve') program.serve(message.profiles);
    else void program.finish().finally(() => process.exit(0));
  });
  // Ctrl-C in a terminal reaches the whole group; the parent lets answers finish first and then tells us.
  process.on('SIGINT', () => {});
  process.send?.({ type: 'ready', address: program.address, facts: program.facts });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  logger.error({ error }, 'the engine could not start');
  process.send?.({ type: 'failed', reason }, () => process.exit(1));
}
