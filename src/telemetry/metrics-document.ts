import { buildInfo, gauges, rareCounters, requestMetrics, type MetricDefinition } from './metric-table.ts';

/** docs/metrics.md, made from the table so that no name is missing. */
export function metricsDocument(): string {
  return [
    introduction,
    '## Requests\n',
    ...table(Object.values(requestMetrics)),
    '## Refusals\n',
    ...table(Object.values(rareCounters)),
    '## Engines, connections and the journal\n',
    'Read when somebody scrapes.\n',
    ...table(Object.values(gauges)),
    '## The program\n',
    ...table([buildInfo]),
    conclusion,
  ].join('\n');
}

const introduction = `# Metrics

<!-- Made from the metric table by \`npm run docs\`. Change src/telemetry/metric-table.ts, not this file. -->

\`GET /metrics\` answers in the Prometheus text format. Without \`metricsListen\` in the settings only callers on the same machine get an answer; with it a listener of its own serves nothing else.

Labels are bounded: doors, endings, status classes and error codes are fixed lists; models and engines are those of the settings (\`other\` when a model is gone). Nothing a caller sends becomes a label: no keys, people, addresses or projects. Those are in the usage records (\`gatehouse usage\`).

- \`door\`: \`proxy\`, \`direct\` or \`chat\`.
- \`ending\`: \`completed\`, \`refused\`, \`refused-by-engine\`, \`caller-left\`, \`access-withdrawn\`, \`engine-failed\`, \`shutdown\` or \`interrupted\`.
- \`status\`: \`2xx\` to \`5xx\`, or \`none\` when no status was sent.
`;

const conclusion = `The usual metrics of a Node process come beside these under their usual names: \`process_cpu_seconds_total\`, \`process_resident_memory_bytes\`, \`process_open_fds\`, \`nodejs_eventloop_lag_p99_seconds\`, \`nodejs_heap_size_used_bytes\`, \`nodejs_gc_duration_seconds\` and others.

## Questions and their queries

| question | query |
| --- | --- |
| Share of requests that fail through no fault of the caller | \`sum(rate(gatehouse_requests_total{ending="engine-failed"}[5m])) / sum(rate(gatehouse_requests_total[5m]))\` |
| Tokens per second by model | \`sum by (model) (rate(gatehouse_tokens_total{kind="output"}[5m]))\` |
| Time to the first byte that 95 of 100 requests stay below | \`histogram_quantile(0.95, sum by (le, model) (rate(gatehouse_first_byte_seconds_bucket[5m])))\` |
| Is anybody waiting? | \`sum by (model) (gatehouse_requests_waiting)\` |
| What the gateway itself costs, 99 of 100 requests | \`histogram_quantile(0.99, sum by (le) (rate(gatehouse_overhead_seconds_bucket[5m])))\` |
| An engine is out of service | \`gatehouse_engine_healthy == 0\` |
| Usage cannot be written | \`gatehouse_journal_writable == 0\` |
| Usage records pile up | \`gatehouse_journal_unapplied_bytes > 10e6\` |
| Usage records were lost | \`increase(gatehouse_journal_lost_entries_total[1h]) > 0\` |
`;

function table(metrics: readonly MetricDefinition[]): string[] {
  const rows = metrics.map(({ name, type, labels, help, buckets }) => {
    const named = labels.map((label) => `\`${label}\``).join(', ');
    const bounds = buckets === undefined ? '' : ` Buckets: ${buckets.join(', ')}.`;
    return `| \`${name}\` | ${type} | ${named} | ${help}${bounds} |`;
  });
  return ['| name | type | labels | meaning |', '| --- | --- | --- | --- |', ...rows, ''];
}
