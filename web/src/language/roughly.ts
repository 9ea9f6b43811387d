/** A wait as people say it. */
export function roughly(seconds: number, second: string, minute: string): string {
  return seconds < 90
    ? `${Math.max(1, Math.round(seconds))} ${second}`
    : `${Math.round(seconds / 60)} ${minute}`;
}
