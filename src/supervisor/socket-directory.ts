import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makePrivateFolder } from '#vocabulary/private-folder';

/**
 * A private folder for the sockets of engine processes: inside the data folder, or under the temp folder where
 * that path would be too long for a socket. Sockets that dead gateways left behind are removed.
 */
export function prepareSocketDirectory(dataDir: string): string {
  const inside = join(resolve(dataDir), 'run');
  const digest = createHash('sha256').update(inside).digest('hex').slice(0, 12);
  const directory =
    Buffer.byteLength(socketPathFor(inside, 'x'.repeat(maxNameLength), 0)) <= maxSocketPathBytes
      ? inside
      : join(tmpdir(), `gatehouse-${process.getuid?.() ?? 0}-${digest}`);
  makePrivateFolder(directory);
  const stats = lstatSync(directory);
  if (!stats.isDirectory() || (process.getuid !== undefined && stats.uid !== process.getuid()))
    throw new Error(`${directory} belongs to somebody else: remove it, or choose a shorter data folder.`);
  chmodSync(directory, 0o700);
  removeStaleSockets(directory);
  return directory;
}

/** Of its own for every generation of an engine, and never the path of another gateway's engine. */
export function socketPathFor(directory: string, engineName: string, generation: number): string {
  const digest = createHash('sha256').update(`${generation} ${engineName}`).digest('hex').slice(0, 8);
  const readable = engineName.replaceAll(/[^A-Za-z0-9-]/g, '').slice(0, maxNameLength);
  return join(directory, `${readable}-${digest}.${String(process.pid).padStart(7, '0')}.sock`);
}

/** The shortest limit among the systems we run on is 104 bytes with the closing zero (macOS). */
const maxSocketPathBytes = 103;
const maxNameLength = 16;

function removeStaleSockets(directory: string): void {
  for (const entry of readdirSync(directory)) {
    const owner = /\.(\d+)\.sock$/.exec(entry)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(directory, entry), { force: true });
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
