import type { ChatError } from '#dialects/translation';

/** An error inside a response. */
export function responseError({ type, code, message }: ChatError): {
  readonly code: string;
  readonly message: string;
} {
  // OpenAI's word for whatever goes wrong on the side of the service.
  return { code: type === 'server_error' ? 'server_error' : code, message };
}
