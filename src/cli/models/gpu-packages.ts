import { parseArgs } from 'node:util';
import { installGpuPackages, planGpuPackages, probeGpu } from '#engine/gpu';
import { exitStatus, WrongUse } from '../command.ts';
import { bytesInWords } from './in-words.ts';

export async function gpuPackages(args: readonly string[]): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
  const [choice] = positionals;
  if (choice === undefined) return report('auto');
  if (choice !== 'cuda' && choice !== 'vulkan') throw new WrongUse('The choices are cuda and vulkan.');

  const plan = await planGpuPackages(choice, { platform: process.platform, architecture: process.arch });
  await installGpuPackages(plan, (name) => process.stderr.write(`Fetching ${name}@${plan.version}\n`));
  process.stdout.write(
    `The packages for ${choice} are in place. "npm install" clears them away: run this again after it.\n`,
  );
  return report(choice);
}

/** Says what can really be used: packages alone do not make a driver. */
async function report(wanted: 'auto' | 'cuda' | 'vulkan'): Promise<number> {
  const { gpu, devices, memoryBytes, problem } = await probeGpu(wanted);
  if (gpu === 'off') {
    const reason = problem === undefined ? '' : ` The library says: ${problem}`;
    process.stdout.write(
      `The embedded engine can use no graphics processor here; it runs on the processor.${reason}\n`,
    );
    return wanted === 'auto' ? 0 : exitStatus.failed;
  }
  process.stdout.write(
    `The embedded engine uses ${gpu}: ${devices.join(', ')} with ${bytesInWords(memoryBytes)}.\n`,
  );
  return 0;
}
