import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';

export type Handler = (exchange: Exchange) => Promise<void> | void;

export function getOnly(handler: Handler): Handler {
  return (exchange) => {
    if (exchange.method === 'GET' || exchange.method === 'HEAD') return handler(exchange);
    throw new Refusal(
      'method_not_allowed',
      `${exchange.path.slice(0, 200)} answers GET, not ${exchange.method}. The API is at /api/ with an API key, and at the direct addresses of the models.`,
      {
        headers: { allow: 'GET' },
      },
    );
  };
}
