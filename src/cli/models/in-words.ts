export function bytesInWords(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
  return `${Math.ceil(bytes / 1000)} kB`;
}

export function parametersInWords(count: number): string {
  if (count >= 1e12) return `${(count / 1e12).toFixed(2)} trillion`;
  return count >= 1e9 ? `${(count / 1e9).toFixed(1)} billion` : `${(count / 1e6).toFixed(1)} million`;
}

export function durationInWords(seconds: number): string {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = String(Math.floor((whole % 3600) / 60)).padStart(hours > 0 ? 2 : 1, '0');
  return `${hours > 0 ? `${hours}:` : ''}${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

/** `name   value`, with the values in one column. */
export function inColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
