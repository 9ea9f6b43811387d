import type { ChatError } from '#dialects/translation';
import { refusalStatus } from '#vocabulary/refusal';

/** An error of ours in the words of this dialect, alone or as an event of a stream that has begun. */
export function messageError(error: ChatError): {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string };
} {
  return { type: 'error', error: { type: errorType(refusalStatus(error.code)), message: sentence(error) } };
}

function errorType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 503:
      return 'overloaded_error';
    case 408:
    case 504:
      return 'timeout_error';
    default:
      return status < 500 || status === 501 ? 'invalid_request_error' : 'api_error';
  }
}

/** Clients that can shorten a conversation look for these words. */
function sentence({ code, message }: ChatError): string {
  return code === 'context_length_exceeded' ? `prompt is too long: ${message}` : message;
}
