/** Metrics as they were scraped. */
export interface Samples {
  /** The sum over all label values; undefined when there is no such metric. */
  sum(name: string): number | undefined;
  /** Undefined when no sample has this label. */
  labelled(name: string, label: string, value: string): number | undefined;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([^ ]+)$/;

export function readSamples(text: string): Samples {
  const samples = text.split('\n').flatMap((row) => {
    const [, name, labels = '', value] = line.exec(row) ?? [];
    return name === undefined ? [] : [{ name, labels, value: Number(value) }];
  });
  const add = (found: readonly { readonly value: number }[]) =>
    found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  return {
    sum: (wanted) => add(samples.filter(({ name }) => name === wanted)),
    labelled: (wanted, label, value) =>
      add(
        samples.filter(
          ({ name, labels }) => name === wanted && labels.split(',').includes(`${label}="${value}"`),
        ),
      ),
  };
}
