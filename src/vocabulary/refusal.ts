/**
 * A refusal is an answer, not an accident: the caller gets a status, an OpenAI error object and a sentence
 * that says what to do next. Thrown anywhere, caught in `flow` and `http`. Anything else thrown is a bug.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly param: string | null;
  readonly retryAfterSeconds: number | undefined;
  /** Extra response headers, for example `WWW-Authenticate` or `Allow`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The model that was asked, where that was understood. */
  modelId: string | undefined;

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    // An answer needs no stack, and taking one down costs more than the rest of a refused request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.param = details.param ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.headers = details.headers ?? {};
  }

  get status(): number {
    return refusalTable[this.code].status;
  }
}

export interface RefusalDetails {
  readonly param?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export interface RefusalKind {
  readonly status: number;
  readonly type: string;
  /** Whether the same request may succeed later without a change. Drives `x-should-retry`. */
  readonly isRetryable: boolean;
}

const refusalTable = {
  invalid_request: { status: 400, type: 'invalid_request_error', isRetryable: false },
  invalid_json: { status: 400, type: 'invalid_request_error', isRetryable: false },
  invalid_parameter: { status: 400, type: 'invalid_request_error', isRetryable: false },
  unsupported_parameter: { status: 400, type: 'invalid_request_error', isRetryable: false },
  context_length_exceeded: { status: 400, type: 'invalid_request_error', isRetryable: false },
  invalid_api_key: { status: 401, type: 'invalid_request_error', isRetryable: false },
  network_not_permitted: { status: 401, type: 'invalid_request_error', isRetryable: false },
  sign_in_required: { status: 401, type: 'invalid_request_error', isRetryable: false },
  project_ended: { status: 403, type: 'invalid_request_error', isRetryable: false },
  permission_denied: { status: 403, type: 'invalid_request_error', isRetryable: false },
  model_not_permitted: { status: 403, type: 'invalid_request_error', isRetryable: false },
  foreign_origin: { status: 403, type: 'invalid_request_error', isRetryable: false },
  not_found: { status: 404, type: 'invalid_request_error', isRetryable: false },
  model_not_found: { status: 404, type: 'invalid_request_error', isRetryable: false },
  stream_not_kept: { status: 410, type: 'invalid_request_error', isRetryable: false },
  method_not_allowed: { status: 405, type: 'invalid_request_error', isRetryable: false },
  request_timeout: { status: 408, type: 'invalid_request_error', isRetryable: true },
  conflict: { status: 409, type: 'invalid_request_error', isRetryable: false },
  storage_full: { status: 413, type: 'invalid_request_error', isRetryable: false },
  request_too_large: { status: 413, type: 'invalid_request_error', isRetryable: false },
  unsupported_media_type: { status: 415, type: 'invalid_request_error', isRetryable: false },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error', isRetryable: true },
  insufficient_quota: { status: 429, type: 'insufficient_quota', isRetryable: false },
  queue_full: { status: 429, type: 'rate_limit_error', isRetryable: true },
  headers_too_large: { status: 431, type: 'invalid_request_error', isRetryable: false },
  access_withdrawn: { status: 401, type: 'invalid_request_error', isRetryable: false },
  internal_error: { status: 500, type: 'server_error', isRetryable: true },
  not_supported_by_engine: { status: 501, type: 'invalid_request_error', isRetryable: false },
  engine_failed: { status: 502, type: 'server_error', isRetryable: true },
  engine_unavailable: { status: 503, type: 'server_error', isRetryable: true },
  usage_unwritable: { status: 503, type: 'server_error', isRetryable: true },
  database_unavailable: { status: 503, type: 'server_error', isRetryable: true },
  service_overloaded: { status: 503, type: 'server_error', isRetryable: true },
  shutting_down: { status: 503, type: 'server_error', isRetryable: true },
  engine_timeout: { status: 504, type: 'server_error', isRetryable: true },
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof refusalTable;

export const refusalCodes = Object.keys(refusalTable) as RefusalCode[];

export function refusalKind(code: RefusalCode): RefusalKind {
  return refusalTable[code];
}

/** Of a code that came as text; what nobody knows is our own fault. */
export function refusalStatus(code: string): number {
  const known = refusalCodes.find((name) => name === code);
  return refusalTable[known ?? 'internal_error'].status;
}
