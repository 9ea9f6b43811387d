import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface GpuProbe {
  /** `cuda`, `vulkan`, `metal`, or `off` when only the processor can be used. */
  readonly gpu: string;
  readonly devices: readonly string[];
  readonly memoryBytes: number;
  /** Why not, in the library's words. */
  readonly problem: string | undefined;
}

/**
 * Asks the library what it can really use here. In a process of its own: drivers that do not fit have been
 * seen to take the whole process down.
 */
export async function probeGpu(wanted: 'auto' | 'cuda' | 'vulkan' | 'metal'): Promise<GpuProbe> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [probeProgram, wanted], {
      timeout: 60_000,
    });
    return JSON.parse(stdout) as GpuProbe;
  } catch (error) {
    return { gpu: 'off', devices: [], memoryBytes: 0, problem: lastWords(error) };
  }
}

/** A process that was aborted explains itself on its standard error, between the lines of a stack. */
function lastWords(error: unknown): string {
  const stderr = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : '';
  const telling = stderr.split('\n').find((line) => /error/i.test(line) && !line.startsWith('/'));
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return (telling ?? first).slice(0, 300);
}

const probeProgram = fileURLToPath(new URL('./probe-program.ts', import.meta.url));
