import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';
import type { HttpRoute } from './http-route.ts';
import type { Handler } from './get-only.ts';

export interface OperationsParts {
  /** Empty when the service takes requests. */
  readonly whyNotReady: () => readonly string[];
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  /** Whether the main listener shows metrics to callers on the same machine. */
  readonly showsMetricsLocally: boolean;
  /** Throws a refusal for everybody else. */
  readonly requireThisMachine: (exchange: Exchange) => void;
}

/** What supervisors and monitors ask: are you there, are you ready, how is it going? */
export function createOperationsRoutes(parts: OperationsParts): {
  readonly health: Handler;
  readonly readiness: Handler;
  readonly metrics: Handler;
  /** For a listener of their own, which shows metrics to whoever reaches it. */
  readonly metricsListener: (path: string) => HttpRoute;
} {
  const sendMetrics = async (exchange: Exchange) =>
    sendText(exchange, 200, await parts.metrics.text(), parts.metrics.contentType);
  return {
    health: (exchange) => sendText(exchange, 200, 'ok\n'),
    readiness(exchange) {
      const reasons = parts.whyNotReady();
      const isReady = reasons.length === 0;
      const body = `${JSON.stringify({ status: isReady ? 'ready' : 'not ready', reasons })}\n`;
      sendText(exchange, isReady ? 200 : 503, body, 'application/json');
    },
    metrics(exchange) {
      if (!parts.showsMetricsLocally)
        throw new Refusal('not_found', 'Metrics are shown at the address that metricsListen names.');
      parts.requireThisMachine(exchange);
      return sendMetrics(exchange);
    },
    metricsListener: (path) => ({
      door: 'none',
      headers: [],
      handle(exchange) {
        if (path === '/metrics' && exchange.method === 'GET') return sendMetrics(exchange);
        throw new Refusal('not_found', 'Only /metrics is served here.');
      },
    }),
  };
}

function sendText(
  exchange: Exchange,
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  const body = Buffer.from(text);
  exchange.reply.begin(status, ['content-type', contentType, 'content-length', String(body.length)]);
  exchange.reply.end(body);
}
