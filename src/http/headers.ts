import type { IncomingHttpHeaders } from 'node:http';

/** The fields of a head by name, with what Node makes of those that come more than once. */
export function readHeaders(fields: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    const value = fields[index + 1] ?? '';
    const known = headers[name];
    if (known === undefined) headers[name] = value;
    else if (!onlyOnce.has(name)) headers[name] = `${known}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return headers;
}

/** Of these the first one counts. */
const onlyOnce = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);
