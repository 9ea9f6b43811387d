import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { EngineProgramOptions } from './engine-program.ts';

/** What an engine process is told when it is started: one JSON text as its first argument. */
export type EngineConfiguration = Omit<EngineProgramOptions, 'logger' | 'onBroken'>;

/** What may be said to an engine that has said `ready`. */
export type EngineOrder =
  /** Serve these ids from now on. */
  | { readonly type: 'serve'; readonly profiles: EngineConfiguration['profiles'] }
  /** Take nothing new, let running generations end, then end. */
  | { readonly type: 'finish' };

/**
 * Starts the engine in a process of its own, on the Node that runs the caller. The process says
 * `{type: 'ready', address, facts}` or `{type: 'failed', reason}` over the channel between the two. The channel is
 * also its lifeline: it ends itself when the channel closes, so that not even a killed parent leaves an engine behind.
 */
export function startEngine(configuration: EngineConfiguration): ChildProcess {
  return fork(engineProgram, [JSON.stringify(configuration)], {
    execPath: process.execPath,
    execArgv: [],
    env: engineEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'json',
  });
}

const engineProgram = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Credentials of the gateway live in its environment; native code that reads untrusted files gets none. */
function engineEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(environment).filter(([name]) => passedOn.test(name));
  // A service account may have no home, and the library asks for one.
  return { HOME: tmpdir(), ...Object.fromEntries(passed) };
}

const passedOn =
  /^(PATH|HOME|USER|LANG|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_COMPILE_CACHE|XDG_CACHE_HOME|LD_LIBRARY_PATH|(LC|DYLD|CUDA|NVIDIA|GGML|LLAMA|VK|HIP|ROCR|OMP|MESA)_.*)$/i;
