export type ChatAge = 'today' | 'yesterday' | 'week' | 'month' | 'older';

/** By calendar days of the reader, not by hours: last night is yesterday. */
export function ageOf(moment: number, now: Date): ChatAge {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (moment >= midnight) return 'today';
  if (moment >= midnight - dayMs) return 'yesterday';
  if (moment >= midnight - 7 * dayMs) return 'week';
  if (moment >= midnight - 30 * dayMs) return 'month';
  return 'older';
}

const dayMs = 86_400_000;
