const primaryKeyTaken = 1555;
const uniqueColumnTaken = 2067;

/** True when a write failed because a row with the same unique value exists. */
export function isUniquenessViolation(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('errcode' in cause)) return false;
  return cause.errcode === primaryKeyTaken || cause.errcode === uniqueColumnTaken;
}
