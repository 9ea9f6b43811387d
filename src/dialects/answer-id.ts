import type { ParsedRequest } from '#vocabulary/inference';

/** The id that an answer carries: made of the request's, so that logs, books and answers meet. */
export function answerId({ endpoint, exchange }: Pick<ParsedRequest, 'endpoint' | 'exchange'>): string {
  return (endpoint === 'completions' ? 'cmpl-' : 'chatcmpl-') + exchange.requestId;
}
