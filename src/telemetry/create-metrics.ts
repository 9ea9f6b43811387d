import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { GaugeName, GaugeReading, Metrics } from '#vocabulary/metrics';
import { buildInfo, gauges, rareCounters } from './metric-table.ts';
import { createRequestRecorder } from './request-recorder.ts';

export interface MetricsRegistry extends Metrics {
  readonly contentType: string;
  /** The answer to a scrape. A gauge whose source fails is left out; the others are served. */
  text(): Promise<string>;
}

export function createMetrics({
  version,
  isKnownModel,
  hasProcessMetrics = true,
}: {
  version: string;
  /** Whether the settings name this model now. Any other is counted as `other`. */
  isKnownModel: (model: string) => boolean;
  hasProcessMetrics?: boolean;
}): MetricsRegistry {
  const registry = new Registry();
  const registers = [registry];
  const requests = createRequestRecorder({ isKnownModel });
  const refusals = new Counter({ ...optionsOf(rareCounters.refusals), registers });
  const readers = new Map<GaugeName, () => Iterable<GaugeReading>>();

  for (const name of Object.keys(gauges) as GaugeName[]) {
    registry.registerMetric(gaugeOf(name, () => readers.get(name)?.() ?? []));
  }
  new Gauge({ ...optionsOf(buildInfo), registers }).set({ version, node: process.version }, 1);
  if (hasProcessMetrics) collectDefaultMetrics({ register: registry });

  return {
    requestFinished: (record, overheadMs) => requests.record(record, overheadMs),
    requestRefused: (door, code) => refusals.inc({ door, code }),
    observe: (gauge, read) => void readers.set(gauge, read),
    contentType: registry.contentType,
    text: async () => `${requests.expose()}\n${await registry.metrics()}`,
  };
}

/** Made without a registry of its own; asks `read` at every scrape. */
function gaugeOf(name: GaugeName, read: () => Iterable<GaugeReading>): Counter | Gauge {
  const { labels, type } = gauges[name];
  const options = {
    ...optionsOf(gauges[name]),
    registers: [],
    collect(this: Counter | Gauge) {
      this.reset();
      for (const { of: owner = 'other', value } of readSafely(read)) {
        const values = typeof owner === 'string' ? [owner] : owner;
        this.inc(Object.fromEntries(labels.map((label, index) => [label, values[index] ?? 'other'])), value);
      }
    },
  };
  return type === 'counter' ? new Counter(options) : new Gauge(options);
}

function optionsOf({ name, help, labels }: { name: string; help: string; labels: readonly string[] }) {
  return { name, help, labelNames: [...labels] };
}

function readSafely(read: () => Iterable<GaugeReading>): readonly GaugeReading[] {
  try {
    return [...read()];
  } catch {
    return [];
  }
}
