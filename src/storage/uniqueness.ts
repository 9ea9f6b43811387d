const primaryKeyTaken = 1555;
const uniqueColumnTaken = 2067;
const uniqueInPostgres = '23505';

/** True when a write failed because a row with the same unique value exists. */
export function isUniquenessViolation(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if ('code' in cause && cause.code === uniqueInPostgres) return true;
  if (!('errcode' in cause)) return false;
  return cause.errcode === primaryKeyTaken || cause.errcode === uniqueColumnTaken;
}
