import type { ErrorBody } from '#contract/errors';

/** A call that did not work. `message` is the server's sentence for people; empty when the server was not reached. */
export class CallFailed extends Error {
  readonly status: number;
  /** A code of the server's refusal table, or `unreachable`. */
  readonly code: string;
  readonly param: string | null;

  constructor(details: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
    readonly cause?: unknown;
  }) {
    super(details.message, { cause: details.cause });
    this.name = 'CallFailed';
    this.status = details.status;
    this.code = details.code;
    this.param = details.param;
  }
}

export async function failureOf(response: Response): Promise<CallFailed> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = isErrorBody(body) ? body.error : { message: '', code: 'unreadable', param: null };
  return new CallFailed({ ...error, status: response.status });
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';
}
