import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Undefined when the process is gone or the system does not tell. */
export async function residentBytes(processId: number): Promise<number | undefined> {
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${processId}/status`, 'utf8');
      return kibibytes(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(processId)]);
    return kibibytes(stdout.trim());
  } catch {
    return undefined;
  }
}

function kibibytes(text: string | undefined): number | undefined {
  const count = Number(text);
  return text === undefined || text === '' || Number.isNaN(count) ? undefined : count * 1024;
}
