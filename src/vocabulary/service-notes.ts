/** Single facts about the service that every process should know: one text under each name. */
export type ServiceNoteName = 'last-backup' | 'appearance' | 'catalogue';

export interface ServiceNoteStore {
  read(name: ServiceNoteName): Promise<string | undefined>;
  write(name: ServiceNoteName, value: string): Promise<void>;
  /** False, and nothing has happened, when it is not what it was before; undefined: there was none. */
  replace(name: ServiceNoteName, before: string | undefined, value: string): Promise<boolean>;
  remove(name: ServiceNoteName): Promise<void>;
}

/** When `gatehouse backup` last came to its end. */
export interface LastBackup {
  readonly madeAt: number;
  readonly bytes: number;
}
