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
    const problem = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { gpu: 'off', devices: [], memoryBytes: 0, problem };
  }
}

const probeProgram = fileURLToPath(new URL('./probe-program.ts', import.meta.url));
