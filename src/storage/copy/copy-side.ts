import type { CopiedTable, CopiedValue } from './table-plan.ts';

export type CopiedRow = readonly CopiedValue[];

/** A database that is copied from or into. */
export interface CopySide {
  /** For people, without a password. */
  readonly label: string;
  /** A few rows at a time, in the order of the plan. */
  read(table: CopiedTable): AsyncIterable<readonly CopiedRow[]>;
  count(table: CopiedTable): Promise<number>;
}

/** Nothing is there until `commit`; whatever fails before leaves the target as it was. */
export interface CopyTarget extends CopySide {
  begin(tables: readonly CopiedTable[]): Promise<void>;
  write(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** What follows from the rows: words to search for, and the next numbers. */
  settle(tables: readonly CopiedTable[]): Promise<void>;
  commit(): Promise<void>;
  abandon(): Promise<void>;
}

export const rowsAtOnce = 200;
