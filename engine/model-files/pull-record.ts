import { readFile, rename, writeFile } from 'node:fs/promises';

/** Kept beside a pulled file, so that its origin can be told and its digest need not be counted again. */
export interface PullRecord {
  readonly source: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly pulledAt: string;
}

export async function writePullRecord(modelPath: string, record: PullRecord): Promise<void> {
  const path = pullRecordPath(modelPath);
  await writeFile(`${path}.new`, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(`${path}.new`, path);
}

export async function readPullRecord(modelPath: string): Promise<PullRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(pullRecordPath(modelPath), 'utf8')) as Partial<PullRecord>;
    const { source, sha256, bytes, pulledAt } = record;
    if (typeof source !== 'string' || typeof sha256 !== 'string') return undefined;
    return { source, sha256, bytes: Number(bytes), pulledAt: String(pulledAt) };
  } catch {
    return undefined;
  }
}

export function pullRecordPath(modelPath: string): string {
  return `${modelPath}.json`;
}
