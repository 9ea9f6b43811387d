import { createHash } from 'node:crypto';
import type { StatusReport } from '#contract/status';
import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';
import { drawBadge } from './status-badge.ts';

/** However many ask, the report is made this often. */
const freshMs = 3000;
/** While the database does not answer, an old report is better than none. */
const staleMs = 300_000;

export interface StatusAnswers {
  /** As it was at most three seconds ago. */
  report(): Promise<StatusReport>;
  /** `/status.json` and `/status/badge.svg?model=`. Refuses whoever may not read it. */
  answer(exchange: Exchange): Promise<void>;
}

export function createStatusAnswers(parts: {
  readonly make: () => Promise<StatusReport>;
  readonly isPublic: boolean;
  readonly isSignedIn: (exchange: Exchange) => Promise<boolean>;
  readonly clock: Clock;
}): StatusAnswers {
  let kept: { readonly madeMs: number; readonly answers: Answers } | undefined;
  let making: Promise<Answers> | undefined;

  return {
    report: async () => (await answers()).report,
    async answer(exchange) {
      if (!parts.isPublic && !(await parts.isSignedIn(exchange)))
        throw new Refusal('sign_in_required', 'Sign in to read how the service is doing.');
      const { report, json, tag } = await answers();
      if (exchange.path === '/status.json') {
        const headers = [...shared(parts.isPublic), 'content-type', 'application/json', 'etag', tag];
        if (exchange.headers['if-none-match'] === tag) send(exchange, 304, headers, undefined);
        else send(exchange, 200, headers, json);
        return;
      }
      const headers = [...shared(parts.isPublic), 'content-type', 'image/svg+xml', ...harmless];
      send(exchange, 200, headers, Buffer.from(badgeOf(report, exchange.query)));
    },
  };

  async function answers(): Promise<Answers> {
    const nowMs = parts.clock.monotonicMs();
    if (kept !== undefined && nowMs - kept.madeMs < freshMs) return kept.answers;
    making ??= parts
      .make()
      .then((report) => {
        const json = Buffer.from(`${JSON.stringify(report)}\n`);
        const tag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;
        kept = { madeMs: parts.clock.monotonicMs(), answers: { report, json, tag } };
        return kept.answers;
      })
      .finally(() => {
        making = undefined;
      });
    const old = kept;
    return await making.catch((problem: unknown) => {
      if (old !== undefined && nowMs - old.madeMs < staleMs) return old.answers;
      throw problem;
    });
  }
}

interface Answers {
  readonly report: StatusReport;
  readonly json: Buffer;
  readonly tag: string;
}

function badgeOf(report: StatusReport, query: string): string {
  const modelId = new URLSearchParams(query).get('model');
  if (modelId === null) return drawBadge(report.service, report.state);
  const model = report.models.find(({ id }) => id === modelId);
  if (model === undefined) throw new Refusal('not_found', 'There is no such model.');
  return drawBadge(model.id, model.state);
}

/** Pages of others may show what everybody may read; what only some may read stays in their browser. */
function shared(isPublic: boolean): readonly string[] {
  return isPublic
    ? ['cache-control', 'public, max-age=30', 'access-control-allow-origin', '*']
    : ['cache-control', 'private, no-cache'];
}

const harmless = [
  'content-security-policy',
  "default-src 'none'; sandbox",
  'cross-origin-resource-policy',
  'cross-origin',
];

function send(
  { method, reply }: Exchange,
  status: number,
  headers: readonly string[],
  body: Buffer | undefined,
): void {
  const length = body === undefined ? [] : ['content-length', String(body.length)];
  reply.begin(status, [...headers, ...length]);
  if (method === 'HEAD' || body === undefined) reply.end();
  else reply.end(body);
}
