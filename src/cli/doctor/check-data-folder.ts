import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspectJournals } from '#accounting';
import type { Settings } from '#settings';
import { inspectDatabase, inspectPostgres, type SchemaStanding } from '#storage';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { bytesInWords } from '../models/in-words.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';
import type { RunningService } from './find-service.ts';

const about = 'data folder';

export const checkDataFolder: Check = async ({ loaded, service }) => {
  const { dataDir } = loaded.settings;
  if (!existsSync(dataDir)) {
    const parent = nearestParent(dataDir);
    return mayWrite(parent)
      ? [
          ok(about, `${dataDir} is made at the first start.`),
          ...spaceFindings(parent),
          ...(await databaseFindings(loaded.settings)),
        ]
      : [
          problem(
            about,
            `${dataDir} does not exist and ${parent} may not be written.`,
            'Make it and give it to the user that runs the service, or change dataDir.',
          ),
        ];
  }
  const access = accessFindings(dataDir);
  if (access.length > 0) return access;
  const findings = [...permissionFindings(dataDir), ...spaceFindings(dataDir)];
  return [
    ...(findings.length > 0
      ? findings
      : [ok(about, `${dataDir}, ${bytesInWords(freeBytes(dataDir))} free.`)]),
    ...(await databaseFindings(loaded.settings)),
    ...journalFindings(dataDir, service),
  ];
};

function accessFindings(dataDir: string): Finding[] {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'x', { mode: 0o600, flag: 'wx' });
    rmSync(probe);
    return [];
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    rmSync(probe, { force: true });
    return [
      code === 'ENOSPC' || code === 'EDQUOT'
        ? problem(
            about,
            `The disk of ${dataDir} is full.`,
            'Free some space: until then nothing is saved, and requests are refused (accounting.whenUnwritable).',
          )
        : problem(
            about,
            `${dataDir} may not be written (${code}).`,
            'Give it to the user that runs the service, and ask as that user.',
          ),
    ];
  }
}

function permissionFindings(dataDir: string): Finding[] {
  if (process.platform === 'win32') return [];
  const open = [dataDir, join(dataDir, 'gatehouse.db')].filter(
    (path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0,
  );
  if (open.length === 0) return [];
  return [
    warning(
      about,
      `Other users of this machine may look into ${open.join(' and ')}.`,
      `Run: chmod -R go= ${dataDir}`,
    ),
  ];
}

const tooLittleBytes = 200e6;
const littleBytes = 2e9;
/** NFS and SMB, as the kernel numbers them. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42]);

function spaceFindings(path: string): Finding[] {
  const free = freeBytes(path);
  const findings: Finding[] = [];
  if (free < tooLittleBytes)
    findings.push(
      problem(
        about,
        `Only ${bytesInWords(free)} are free at ${path}.`,
        'Free some space: usage and chats can soon not be written.',
      ),
    );
  else if (free < littleBytes)
    findings.push(
      warning(about, `Only ${bytesInWords(free)} are free at ${path}.`, 'Free some space, or move dataDir.'),
    );
  if (networkFileSystems.has(statfsSync(path).type))
    findings.push(
      warning(
        about,
        `${path} is on a network file system, where SQLite cannot rely on locks.`,
        'Move dataDir to a disk of this machine.',
      ),
    );
  return findings;
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

async function databaseFindings({ dataDir, database: address }: Settings): Promise<Finding[]> {
  try {
    if (address !== undefined) return [schemaFinding('PostgreSQL', await inspectPostgres(address))];
    const database = inspectDatabase(dataDir);
    if (database === undefined) return [ok('database', 'Made at the first start.')];
    return [schemaFinding(bytesInWords(database.bytes), database.schema)];
  } catch (cause) {
    if (cause instanceof OperatorProblem)
      return [
        problem(
          'database',
          cause.message,
          'Look after the server, or correct database. A running service goes on answering meanwhile.',
        ),
      ];
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [
      problem(
        'database',
        `It cannot be read: ${reason}.`,
        'If it is damaged, restore a backup: gatehouse restore BACKUP --replace',
      ),
    ];
  }
}

function schemaFinding(what: string, { newest, missing, unknown }: SchemaStanding): Finding {
  if (unknown.length > 0)
    return problem(
      'database',
      `It was last used by a newer version of Gatehouse (schema step ${newest}).`,
      'Install that version again, or restore a backup made before the upgrade.',
    );
  if (newest === 0) return ok('database', `${what}, empty: its tables are made at the first start.`);
  if (missing.length > 0)
    return ok(
      'database',
      `${what}; the next start brings it forward (step ${missing.join(', ')}).`,
      'Make a backup before that start: the way back is to restore it.',
    );
  return ok('database', `${what}, schema step ${newest}.`);
}

const longBacklogBytes = 10e6;

function journalFindings(dataDir: string, service: RunningService | undefined): Finding[] {
  const { livingOwners, orphanBytes } = inspectJournals(dataDir);
  const lost = service?.metrics?.sum('gatehouse_journal_lost_entries_total') ?? 0;
  const backlog = service?.metrics?.sum('gatehouse_journal_unapplied_bytes') ?? 0;
  const findings: Finding[] = [];
  if (lost > 0)
    findings.push(
      problem(
        'journal',
        `${lost} usage entries were lost because the disk could not be written.`,
        'The log says when. Look after the disk; what is lost stays lost.',
      ),
    );
  if (backlog > longBacklogBytes)
    findings.push(
      warning(
        'journal',
        `${bytesInWords(backlog)} of usage wait to enter the database.`,
        'The log says why the database does not take them.',
      ),
    );
  if (findings.length > 0) return findings;
  const left = orphanBytes === 0 ? 'nothing waits' : `${bytesInWords(orphanBytes)} wait for the next start`;
  return [
    ok(
      'journal',
      livingOwners > 0
        ? `Written by ${livingOwners} running ${livingOwners === 1 ? 'service' : 'services'}; ${left}.`
        : `Nobody writes it now; ${left}.`,
    ),
  ];
}

function nearestParent(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : nearestParent(parent);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
