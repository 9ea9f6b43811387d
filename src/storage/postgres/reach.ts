import { Refusal } from '#vocabulary/refusal';

/** Out of reach in any way: gone, starting or ending, too slow, out of connections, or unable to write. */
const systemCodes =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES)$/;
/** Of PostgreSQL: connection, read-only, resources, operator, system; its appendix A has the list. */
const serverCodes = /^(?:08...|25006|25P03|53...|57...|58...)$/;
const ownWords = /^(?:Connection terminated|Query read timeout|timeout exceeded|timeout expired|Client has)/;

export function isOutOfReach(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.some(isOutOfReach);
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause ? String(cause.code) : '';
  return systemCodes.test(code) || serverCodes.test(code) || ownWords.test(cause.message);
}

/** What people get to hear; why is told too where it is not simply gone. */
export function unreachable(cause: unknown): Refusal {
  return new Refusal(
    'database_unavailable',
    `The database ${stateOf(cause)} at the moment, so that nobody can sign in and nothing can be changed. Answers go on. Try again in a moment.`,
    { cause, retryAfterSeconds: 5 },
  );
}

const states: Readonly<Record<string, string>> = {
  '25006': 'is read-only',
  '53100': 'has no room on its disk',
  '53200': 'has no memory left',
  '53300': 'has no connection left',
  '57014': 'is too slow',
};

/** "The database …": gone, or there and of no use. */
export function stateOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isSlow = cause instanceof Error && /^(?:Query read timeout|timeout e)/.test(cause.message);
  return states[code] ?? (isSlow ? 'does not answer in time' : 'cannot be reached');
}
