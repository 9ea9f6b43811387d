import type { ErrorBody } from '#contract/errors';
import type { RouteName } from '#contract/routes';

/** A call that did not work. Carries what is needed to say so in any language, never a sentence of the service. */
export class CallFailed extends Error {
  readonly route: RouteName;
  /** 0 when nothing answered. */
  readonly status: number;
  /** A code of the service's refusal table, or `unreachable`, or `unreadable` when something else answered. */
  readonly code: string;
  readonly param: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: {
    readonly route: RouteName;
    readonly status: number;
    readonly code: string;
    readonly param?: string | null;
    readonly retryAfterSeconds?: number | undefined;
    readonly cause?: unknown;
  }) {
    super(`${details.route}: ${details.code}`, { cause: details.cause });
    this.name = 'CallFailed';
    this.route = details.route;
    this.status = details.status;
    this.code = details.code;
    this.param = details.param ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export async function failureOf(route: RouteName, response: Response): Promise<CallFailed> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, param } = isErrorBody(body) ? body.error : { code: 'unreadable', param: null };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(seconds) ? Math.ceil(seconds) : undefined;
  return new CallFailed({ route, status: response.status, code, param, retryAfterSeconds });
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';
}
