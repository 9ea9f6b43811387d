import { Refusal } from '#vocabulary/refusal';

export function wrong(param: string, message: string): Refusal {
  return new Refusal('invalid_parameter', message, { param });
}

export function unsupported(param: string, message: string): Refusal {
  return new Refusal('unsupported_parameter', message, { param });
}

/** What a caller wrote, short enough and plain enough to stand in a sentence. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 64)}"` : `a ${typeof value}`;
}
