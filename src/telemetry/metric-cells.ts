import type { MetricDefinition } from './metric-table.ts';

/**
 * Counters and histograms as plain numbers. The library finds the labels anew at every call (half a
 * microsecond each, nine calls per request); here the labels are found once and a call is an addition.
 */
export class CounterFamily {
  readonly #definition: MetricDefinition;
  readonly #cells = new Map<string, CounterCell>();

  constructor(definition: MetricDefinition) {
    this.#definition = definition;
  }

  /** To be kept by whoever counts. Label values must come from a bounded set. */
  cell(...labelValues: string[]): CounterCell {
    return cellOf(this.#cells, this.#definition, labelValues, () => ({ value: 0 }));
  }

  /** Prometheus text form. */
  expose(): string {
    let text = heading(this.#definition);
    for (const [labels, { value }] of this.#cells) text += `${this.#definition.name}{${labels}} ${value}\n`;
    return text;
  }
}

export interface CounterCell {
  value: number;
}

export class HistogramFamily {
  readonly #definition: MetricDefinition;
  readonly #bounds: Float64Array;
  readonly #cells = new Map<string, HistogramCell>();

  constructor(definition: MetricDefinition) {
    this.#definition = definition;
    this.#bounds = Float64Array.from(definition.buckets ?? []);
  }

  cell(...labelValues: string[]): HistogramCell {
    return cellOf(this.#cells, this.#definition, labelValues, () => new HistogramCell(this.#bounds));
  }

  expose(): string {
    const { name } = this.#definition;
    let text = heading(this.#definition);
    for (const [labels, cell] of this.#cells) {
      let count = 0;
      for (const [index, bound] of this.#bounds.entries()) {
        count += cell.counts[index] ?? 0;
        text += `${name}_bucket{le="${bound}",${labels}} ${count}\n`;
      }
      count += cell.counts[this.#bounds.length] ?? 0;
      text += `${name}_bucket{le="+Inf",${labels}} ${count}\n`;
      text += `${name}_sum{${labels}} ${cell.sum}\n${name}_count{${labels}} ${count}\n`;
    }
    return text;
  }
}

export class HistogramCell {
  readonly #bounds: Float64Array;
  /** One more than there are bounds: the last is for everything above. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: Float64Array) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] ?? 0)) index++;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

function cellOf<Cell>(
  cells: Map<string, Cell>,
  { labels }: MetricDefinition,
  labelValues: readonly string[],
  make: () => Cell,
): Cell {
  const key = labels.map((label, index) => `${label}="${escape(labelValues[index] ?? '')}"`).join(',');
  let cell = cells.get(key);
  if (cell === undefined) cells.set(key, (cell = make()));
  return cell;
}

function escape(labelValue: string): string {
  return labelValue.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function heading({ name, help, type }: MetricDefinition): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}
