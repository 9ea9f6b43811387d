import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '#vocabulary/refusal';

/** How a caller wants to be able to come back: for how long, and under which name of their own. */
export interface ResumeWish {
  readonly seconds: number;
  readonly name: string | undefined;
}

const form = /^(?<seconds>\d{1,9})(?:[ \t]*;[ \t]*name=(?<name>[\w-]{8,64}))?$/;

/** Of the header `Gatehouse-Resume`. */
export function readResumeWish(header: string): ResumeWish {
  const { seconds, name } = form.exec(header)?.groups ?? {};
  if (seconds !== undefined) return { seconds: Number(seconds), name };
  throw new Refusal(
    'invalid_parameter',
    'The header `Gatehouse-Resume` must be a whole number of seconds. A name may follow: `60; name=` and 8 to 64 letters, digits, `-` or `_`.',
    { param: 'Gatehouse-Resume' },
  );
}

/** After which frame the reader goes on. */
export function readPosition(headers: IncomingHttpHeaders): number {
  const value = String(headers['last-event-id'] ?? 0);
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new Refusal('invalid_parameter', 'The header `Last-Event-ID` must be a whole number.', {
    param: 'Last-Event-ID',
  });
}
