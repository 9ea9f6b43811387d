/** A day counts until it is over, UTC; empty: no end. */
export function endOfDay(day: string): number | null {
  const start = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(start) ? null : start + 86_400_000 - 1;
}

export function dayOfEnd(endsAt: number | null): string {
  return endsAt === null ? '' : new Date(endsAt).toISOString().slice(0, 10);
}

/** `Course: Language models 2027` becomes `course-language-models-2027`. */
export function idFrom(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64);
}
