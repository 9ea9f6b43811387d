import type { Exchange } from '#vocabulary/exchange';

export function answerWithJson({ reply }: Exchange, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  reply.begin(200, ['content-type', 'application/json', 'content-length', String(body.length)]);
  reply.end(body);
}
