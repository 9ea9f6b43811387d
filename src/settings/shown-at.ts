/** What stands at `limits.maxBody` in settings as written. */
export function shownAt(shown: Readonly<Record<string, unknown>>, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], shown);
}
