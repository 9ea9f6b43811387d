import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ChildConfiguration } from './child-contract.ts';

export type SpawnChild = (configuration: ChildConfiguration) => ChildProcess;

/**
 * Starts the engine program on the Node that runs the gateway. The channel between the two is also the child's
 * lifeline: it ends itself when the channel closes, so that not even a killed gateway leaves an engine behind.
 */
export const launchEngineChild: SpawnChild = (configuration) => launchChild(engineProgram, configuration);

export function launchChild(program: string, configuration: ChildConfiguration): ChildProcess {
  return fork(program, [JSON.stringify(configuration)], {
    execPath: process.execPath,
    execArgv: [],
    env: engineEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'json',
  });
}

const engineProgram = fileURLToPath(new URL('../llama-cpp/child.ts', import.meta.url));

/** Credentials of the gateway live in its environment; native code that reads untrusted files gets none. */
function engineEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(environment).filter(([name]) => passedOn.test(name));
  // A service account may have no home, and the library asks for one.
  return { HOME: tmpdir(), ...Object.fromEntries(passed) };
}

const passedOn =
  /^(PATH|HOME|USER|LANG|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_COMPILE_CACHE|XDG_CACHE_HOME|LD_LIBRARY_PATH|(LC|DYLD|CUDA|NVIDIA|GGML|LLAMA|VK|HIP|ROCR|OMP|MESA)_.*)$/i;
