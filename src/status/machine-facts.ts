import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Overview } from '#contract/operations';
import type { LastBackup, ServiceNoteStore } from '#vocabulary/service-notes';

/** What the service stands on: the disk, its last backup, its certificate. */
export type MachineFacts = Pick<Overview, 'disk' | 'backup' | 'certificate'>;

export async function readMachineFacts(parts: {
  readonly dataDir: string;
  readonly certificateFile: string | undefined;
  readonly notes: ServiceNoteStore;
}): Promise<MachineFacts> {
  const [disk, backup, certificate] = await Promise.all([
    readDisk(parts.dataDir),
    readBackup(parts.notes),
    parts.certificateFile === undefined ? null : readCertificate(parts.certificateFile),
  ]);
  return { disk, backup, certificate };
}

async function readDisk(dataDir: string): Promise<MachineFacts['disk']> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const journal = join(dataDir, 'journal');
  const files = [
    ...['gatehouse.db', 'gatehouse.db-wal'].map((name) => join(dataDir, name)),
    ...(await readdir(journal).catch(() => [])).map((name) => join(journal, name)),
  ];
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    usedByServiceBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

async function readBackup(notes: ServiceNoteStore): Promise<MachineFacts['backup']> {
  const note = await notes.read('last-backup');
  return note === undefined ? null : (JSON.parse(note) as LastBackup);
}

/** Null also for a file that cannot be read: `gatehouse doctor` says more. */
async function readCertificate(file: string): Promise<MachineFacts['certificate']> {
  try {
    const { subjectAltName, subject, validTo } = new X509Certificate(await readFile(file));
    return {
      names: (subjectAltName ?? subject).replaceAll(/\b(DNS|IP Address):/g, ''),
      validUntil: Date.parse(validTo),
    };
  } catch {
    return null;
  }
}
