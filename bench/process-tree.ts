import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessTree {
  /** Processor time of the process and everything below it, so far. */
  cpuMs(): number;
  residentBytes(): number;
}

const tickMs = 10;

export function watchProcessTree(rootId: number): ProcessTree {
  return {
    cpuMs: () => members(rootId).reduce((sum, id) => sum + cpuOf(id), 0),
    residentBytes: () => members(rootId).reduce((sum, id) => sum + residentOf(id), 0),
  };
}

function members(rootId: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(Number(name));
    if (fields !== undefined) parents.set(Number(name), Number(fields[1]));
  }
  const found = [rootId];
  for (const id of found) for (const [child, parent] of parents) if (parent === id) found.push(child);
  return found;
}

/** Fields after the command name: 0 is the state, 1 the parent, 11 and 12 user and system time. */
function statOf(id: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function cpuOf(id: number): number {
  const fields = statOf(id);
  return fields === undefined ? 0 : (Number(fields[11]) + Number(fields[12])) * tickMs;
}

function residentOf(id: number): number {
  const fields = statOf(id);
  return fields === undefined ? 0 : Number(fields[21]) * 4096;
}

/** Microseconds of processor time so far by the name of the thread, of the process and everything below it. */
export function readThreads(rootId: number): Map<string, number> {
  const micros = new Map<string, number>();
  for (const at of members(rootId).flatMap(threadsOf)) {
    const name = readIfThere(`${at}/comm`).trim();
    const [onCpu = '0'] = readIfThere(`${at}/schedstat`).split(' ');
    micros.set(name, (micros.get(name) ?? 0) + Number(onCpu) / 1000);
  }
  return micros;
}

function threadsOf(id: number): string[] {
  try {
    return readdirSync(`/proc/${id}/task`).map((thread) => `/proc/${id}/task/${thread}`);
  } catch {
    return [];
  }
}

/** A thread may end while one looks at it. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
