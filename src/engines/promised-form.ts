import { EngineFault } from '#vocabulary/engine-fault';
import type { EngineStream } from '#vocabulary/inference';

/** A success that is neither JSON nor an event stream comes from something that is not the engine, a proxy perhaps. */
export function refuseOtherForms({ status, contentType }: EngineStream): void {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type === 'text/event-stream' || type.endsWith('+json')) return;
  const what = type === '' ? 'without a content type' : `as ${type.slice(0, 40)}`;
  throw new EngineFault(`the engine answered ${status} ${what}`, { retry: 'elsewhere' });
}
