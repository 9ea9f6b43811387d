import { EngineFault } from '#vocabulary/engine-fault';
import type { EngineStream, ParsedRequest } from '#vocabulary/inference';
import type { Refusal } from '#vocabulary/refusal';
import { engineError } from './engine-error.ts';
import { readSmallBody } from './read-small-body.ts';

/** Whether an answer that has begun is one at all. */
export function judgeAnswer(
  stream: EngineStream & { readonly retryAfterSeconds?: number | undefined },
  request: Pick<ParsedRequest, 'endpoint' | 'envelope'>,
  accept: (stream: EngineStream) => void,
  refuse: (reason: Refusal | EngineFault) => void,
): void {
  const { status, retryAfterSeconds } = stream;
  if (status < 200 || status >= 300) {
    void readSmallBody(stream).then((body) => refuse(engineError(status, body, request, retryAfterSeconds)));
    return;
  }
  const fault = otherForm(stream);
  if (fault === undefined) accept(stream);
  else refuse(fault);
}

/** A success that is neither JSON nor an event stream comes from something that is not the engine, a proxy perhaps. */
function otherForm({ status, contentType }: EngineStream): EngineFault | undefined {
  if (contentType === 'application/json') return undefined;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type === 'text/event-stream' || type.endsWith('+json')) return undefined;
  const what = type === '' ? 'without a content type' : `as ${type.slice(0, 40)}`;
  return new EngineFault(`the engine answered ${status} ${what}`, { retry: 'elsewhere' });
}
