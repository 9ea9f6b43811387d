import { startEngine } from '#engine';
import { checkModelFile, inspectModelFile } from '#engine/model-files';
import { plainModel } from '#harness/plain-model';
import { createEngineSupervisor } from '#supervisor';
import { systemClock } from '#vocabulary/clock';
import { silentLogger } from '#vocabulary/logger';

/** A supervisor with the pocket model, as the gateway has one; also a program that a test can kill. */
export function superviseFile(modelFile: string, dataDir: string) {
  return createEngineSupervisor({
    definitions: [
      {
        name: 'pocket',
        kind: 'embedded',
        url: 'http://engine',
        socketPath: undefined,
        credential: undefined,
        maxConcurrent: 2,
        embedded: {
          modelFile,
          threads: 'auto',
          contextTokens: 512,
          gpu: 'off',
          start: 'boot',
          memoryLimitBytes: undefined,
        },
      },
    ],
    models: [pocket],
    dataDir,
    startEngine,
    checkModelFile,
    estimateMemory: inspectModelFile,
    logger: silentLogger,
    clock: systemClock,
    policy: { firstRestartMs: 20, failuresUntilFailed: 2 },
  });
}

const pocket = plainModel('pocket', ['pocket'], { templateKwargs: { enable_thinking: false } });

if (import.meta.main) {
  const [modelFile = '', dataDir = ''] = process.argv.slice(2);
  const supervisor = superviseFile(modelFile, dataDir);
  await supervisor.whenReady('pocket');
  process.stdout.write(`${JSON.stringify(supervisor.status()[0])}\n`);
}
