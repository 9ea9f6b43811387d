import { DatabaseSync } from 'node:sqlite';

/** What a backup says about itself, in a table of its own that a restored database does not have. */
export interface BackupNotes {
  readonly madeAt: string;
  readonly version: string;
  readonly settingsPath: string | undefined;
  readonly settingsText: string | undefined;
  /** Of the engines and models that were made beside the settings file. */
  readonly managedText: string | undefined;
}

export function noteInBackup(path: string, notes: BackupNotes): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('DROP TABLE IF EXISTS backup_notes');
    database.exec('CREATE TABLE backup_notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
    const insert = database.prepare('INSERT INTO backup_notes (name, value) VALUES (?, ?)');
    for (const [name, value] of Object.entries(notes)) {
      if (value !== undefined) insert.run(name, String(value));
    }
  } finally {
    database.close();
  }
}

/** Undefined for a database that is not a backup. */
export function readNotes(database: DatabaseSync): BackupNotes | undefined {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'backup_notes'").get();
  if (table === undefined) return undefined;
  const rows = database.prepare('SELECT name, value FROM backup_notes').all();
  const values = new Map(rows.map((row) => [String(row['name']), String(row['value'])]));
  return {
    madeAt: values.get('madeAt') ?? 'unknown',
    version: values.get('version') ?? 'unknown',
    settingsPath: values.get('settingsPath'),
    settingsText: values.get('settingsText'),
    managedText: values.get('managedText'),
  };
}

export function removeNotes(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('DROP TABLE IF EXISTS backup_notes');
  } finally {
    database.close();
  }
}
