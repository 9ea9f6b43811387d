import { type Dispatcher, request } from 'undici';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { isLoopback } from './model-reference.ts';

export interface DownloadSource {
  readonly url: URL;
  /** Sent to the origin of `url` and to no other. */
  readonly authorization: string | undefined;
  readonly dispatcher: Dispatcher;
}

export interface DownloadAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  /** Where the body begins in the whole file. */
  readonly offset: number;
  readonly totalBytes: number | undefined;
  /** Digest of the whole file, when the hub announced one. */
  readonly sha256: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** Lets go of a body nobody reads. */
  dismiss(): Promise<void>;
}

/** Asks for a file from `offset` on and follows redirects, eight at most, never from https to http. */
export async function openDownload(
  source: DownloadSource,
  offset: number,
  etag: string | undefined,
): Promise<DownloadAnswer> {
  let url = source.url;
  let sha256: string | undefined;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: source.dispatcher,
      headers: requestHeaders(source, url, offset, etag),
      headersTimeout: 30_000,
      bodyTimeout: 60_000,
    });
    sha256 ??= announcedDigest(headers['x-linked-etag']);
    const location = headers['location'];
    if (statusCode < 300 || statusCode >= 400 || typeof location !== 'string')
      return {
        status: statusCode,
        etag: strongEtag(headers['etag']),
        sha256,
        ...readLengths(statusCode, headers),
        retryAfterMs: retryAfterMs(headers['retry-after']),
        body,
        dismiss: () => body.dump({ limit: 65_536 }).catch(() => {}),
      };
    await body.dump({ limit: 65_536 }).catch(() => {});
    url = redirected(url, location);
  }
  throw new OperatorProblem(
    `${source.url.origin} redirects more than ${maxRedirects} times. Check the reference.`,
  );
}

const maxRedirects = 8;

function requestHeaders(
  source: DownloadSource,
  url: URL,
  offset: number,
  etag: string | undefined,
): Record<string, string> {
  return {
    'user-agent': 'gatehouse',
    'accept-encoding': 'identity',
    ...(source.authorization !== undefined && url.origin === source.url.origin
      ? { authorization: source.authorization }
      : {}),
    ...(offset > 0 && etag !== undefined ? { range: `bytes=${offset}-`, 'if-range': etag } : {}),
  };
}

function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from);
  const isSafe =
    to?.protocol === 'https:' || (to?.protocol === 'http:' && isLoopback(from) && isLoopback(to));
  if (to === null || !isSafe)
    throw new OperatorProblem(
      `${from.origin} redirects to an address that is not https. It was not followed.`,
    );
  return to;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function readLengths(status: number, headers: Headers): { offset: number; totalBytes: number | undefined } {
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(String(headers['content-range'] ?? ''));
  if (status === 206 && range !== null) return { offset: Number(range[1]), totalBytes: Number(range[2]) };
  const length = Number(headers['content-length'] ?? NaN);
  return { offset: 0, totalBytes: Number.isSafeInteger(length) ? length : undefined };
}

function strongEtag(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && /^"[^"]{1,200}"$/.test(value) ? value : undefined;
}

function announcedDigest(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? /^"?([0-9a-f]{64})"?$/.exec(value)?.[1] : undefined;
}

function retryAfterMs(value: string | string[] | undefined): number | undefined {
  const seconds = Number(value ?? NaN);
  return seconds >= 0 ? Math.min(seconds, 60) * 1000 : undefined;
}
