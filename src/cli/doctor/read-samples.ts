/** Metrics as they were scraped. */
export interface Samples {
  /** The sum over all label values; undefined when there is no such metric. */
  sum(name: string): number | undefined;
  /** Undefined when no sample has this label. */
  labelled(name: string, label: string, value: string): number | undefined;
  /** Of the samples with all these labels; undefined when there is none. */
  withLabels(name: string, labels: Readonly<Record<string, string>>): number | undefined;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([^ ]+)$/;

export function readSamples(text: string): Samples {
  const samples = text.split('\n').flatMap((row) => {
    const [, name, labels = '', value] = line.exec(row) ?? [];
    return name === undefined ? [] : [{ name, labels, value: Number(value) }];
  });
  const add = (found: readonly { readonly value: number }[]) =>
    found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  const withLabels = (wanted: string, labels: Readonly<Record<string, string>>) => {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return add(
      samples.filter(({ name, labels: has }) => {
        const own = has.split(',');
        return name === wanted && pairs.every((pair) => own.includes(pair));
      }),
    );
  };
  return {
    withLabels,
    labelled: (wanted, label, value) => withLabels(wanted, { [label]: value }),
    sum: (wanted) => add(samples.filter(({ name }) => name === wanted)),
  };
}
