import type { Exchange } from '#vocabulary/exchange';

/** For whoever asked and for nobody else: a cache between us knows nothing of `x-api-key`, nor of networks. */
export function answerWithJson({ reply, method }: Exchange, value: object, indent?: number): void {
  const body = Buffer.from(JSON.stringify(value, null, indent));
  const kind = ['content-type', 'application/json', 'content-length', String(body.length)];
  reply.begin(200, [...kind, 'cache-control', 'no-store']);
  reply.end(method === 'HEAD' ? undefined : body);
}
