/** Adds up every sample of the named gauges, whatever their labels; undefined when none is there. */
export function sumGauges(text: string, names: readonly string[]): number | undefined {
  let sum: number | undefined;
  for (const line of text.split('\n')) {
    const name = names.find((candidate) => line.startsWith(candidate));
    if (name === undefined) continue;
    const match = /^(?:\{[^}]*\})?\s+([\d.eE+-]+)/.exec(line.slice(name.length));
    const value = Number(match?.[1]);
    if (Number.isFinite(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}
