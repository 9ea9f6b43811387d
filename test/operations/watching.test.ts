import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { send } from '#harness/http-client';
import { ask, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { refusalKind, type RefusalCode } from '#vocabulary/refusal';
import { allMetrics } from '../../src/telemetry/metric-table.ts';
import { readExpression, readScrape } from './promql.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** What Prometheus adds by itself. */
const fromPrometheus = ['job', 'instance'];

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary?: string; readonly action?: string };
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

test('alerts and dashboard ask only for metrics, labels and values that a real scrape has', async () => {
  await using service = await startService();
  const headers = { authorization: `bearer ${service.key}` };
  for (const model of ['alpha-R1', 'beta-4-scout', 'gamma-oss-120b'])
    await send(`${service.proxy}/chat/completions`, { headers, body: { model, messages: ask('hello') } });
  await send(`${service.proxy}/models`, { headers: { authorization: 'bearer wrong' } });
  const scrape = await waitUntil('the requests are counted', async () => {
    const { text } = await send(service.gateway.metricsUrl);
    return text.includes('gatehouse_overhead_seconds_bucket') && readScrape(text);
  });

  // What has not happened yet has no labels in a scrape.
  for (const { name, labels } of allMetrics)
    if (scrape.get(name)?.size === 0) scrape.set(name, new Set(labels));

  const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  assert.ok(rules.length >= 10);
  for (const rule of rules) {
    check(rule.alert, rule.expr, scrape);
    assert.ok(rule.annotations.summary !== undefined && rule.annotations.action !== undefined, rule.alert);
    const shown = JSON.stringify(rule.annotations).matchAll(/\$labels\.(\w+)/g);
    const { groupings, selectors } = readExpression(rule.expr);
    const known = new Set(
      groupings.length > 0 ? groupings : [...(scrape.get(selectors[0]!.metric) ?? []), ...fromPrometheus],
    );
    for (const [, label] of shown)
      assert.ok(known.has(label!), `${rule.alert} shows a label it lost: ${label}`);
  }

  const dashboard = JSON.parse(read('deploy/grafana/gatehouse.json')) as {
    panels: Panel[];
    templating: { list: { query: string | { query: string } }[] };
    annotations: { list: { expr: string }[] };
  };
  const graphs = dashboard.panels.filter(({ type }) => type !== 'row');
  assert.ok(graphs.length >= 15);
  for (const { title, targets = [] } of graphs) {
    assert.ok(targets.length > 0, title);
    for (const { expr, legendFormat } of targets) {
      check(title, expr, scrape);
      const { groupings, selectors } = readExpression(expr);
      const labels =
        groupings.length > 0 ? groupings : [...(scrape.get(selectors[0]!.metric) ?? []), ...fromPrometheus];
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(labels.includes(label!), title);
    }
  }
  for (const { expr } of dashboard.annotations.list) check('annotation', expr, scrape);
  for (const { query } of dashboard.templating.list) {
    const [, metric, label] =
      /^label_values\((\w+), (\w+)\)$/.exec(String((query as { query?: string }).query)) ?? [];
    if (metric === undefined) continue;
    assert.ok(
      scrape.get(metric)?.has(label!) === true || fromPrometheus.includes(label!),
      `${metric} ${label}`,
    );
  }
});

const endings = [
  ...(/- `ending`: (.*)\./.exec(read('docs/metrics.md'))?.[1] ?? '').matchAll(/`([\w-]+)`/g),
].map((match) => match[1]!);

function check(where: string, expression: string, scrape: ReadonlyMap<string, ReadonlySet<string>>): void {
  const { selectors, groupings } = readExpression(expression);
  assert.ok(selectors.length > 0, where);
  const labels = new Set(fromPrometheus);
  for (const { metric, matchers } of selectors) {
    if (metric !== 'up') assert.ok(scrape.has(metric), `${where}: there is no metric ${metric}`);
    for (const label of scrape.get(metric) ?? []) labels.add(label);
    for (const { label, value } of matchers) {
      const isKnown = fromPrometheus.includes(label) || scrape.get(metric)?.has(label) === true;
      assert.ok(isKnown, `${where}: ${metric} has no label ${label}`);
      if (label === 'ending') assert.ok(endings.includes(value), `${where}: no ending ${value}`);
      if (label === 'code')
        assert.ok(refusalKind(value as RefusalCode) !== undefined, `${where}: no code ${value}`);
      if (label === 'kind') assert.match(value, /^(input|output|cached|reasoning)$/, where);
    }
  }
  for (const label of groupings) assert.ok(labels.has(label), `${where}: nothing has the label ${label}`);
}
