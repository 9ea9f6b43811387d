/** The one path that is authorised, routed and logged. */
export interface RequestPath {
  readonly path: string;
  readonly query: string;
}

/**
 * Decodes a request target once and gives it one spelling. Undefined for what could be read in two ways: dot
 * segments, double encoding, backslashes, control characters, broken escapes.
 */
export function readRequestPath(target: string): RequestPath | undefined {
  const fromPath = target.startsWith('/') ? target : pathOfAbsoluteTarget(target);
  if (fromPath === undefined) return undefined;
  const mark = fromPath.indexOf('?');
  const raw = mark < 0 ? fromPath : fromPath.slice(0, mark);
  const query = mark < 0 ? '' : fromPath.slice(mark + 1);
  if (plainPath.test(raw)) return { path: raw, query };
  const decoded = decodeOnce(raw);
  if (decoded === undefined || ambiguousMarks.test(decoded)) return undefined;
  const collapsed = decoded.replace(/\/{2,}/g, '/');
  const path = collapsed.length > 1 && collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed;
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return undefined;
  return { path, query };
}

/** The usual case, recognised in one look: nothing to decode, collapse or refuse. */
const plainPath = /^(?:\/[\w-][\w.-]*)+$/;
/** What another reader of the path could take differently: escapes left over, backslashes, control characters. */
const ambiguousMarks = /[%\\\p{Cc}]/u;

function pathOfAbsoluteTarget(target: string): string | undefined {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (match === null) return undefined;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function decodeOnce(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
