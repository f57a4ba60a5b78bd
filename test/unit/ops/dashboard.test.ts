import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../../src/ops/metrics.ts';
import { metricNames } from '../../support/metric-samples.ts';

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  targets?: { expr: string; datasource: { uid: string } }[];
}
interface Dashboard {
  uid: string;
  panels: Panel[];
  templating: { list: { name: string; type: string; definition?: string }[] };
}
interface Rules {
  groups: { name: string; rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

const read = (name: string): string => readFileSync(`docs/grafana/${name}`, 'utf8');
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard;
const rules = (parse(read('alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];

/** Every metric that there is, in what it has been shown. */
async function exposition(): Promise<string> {
  const metrics = createMetrics({
    sessions: () => ({ connected: 1 }),
    isReady: () => true,
    isStoreAway: () => false,
    viewLagMs: () => 0,
    mediaCacheBytes: () => 0,
    webhooks: () => ({ pending: 0, oldestAt: undefined, delivered: 0, failed: 0, parked: 0 }),
    now: () => 0,
  });
  return metrics.read();
}

/** The metrics that an expression asks for. */
const metricsIn = (expression: string): string[] => [
  ...new Set(expression.match(/\b(?:gateway|process|nodejs)_\w+\b/g) ?? []),
];

it('[OP5] the dashboard and the alerts ask for metrics that there are', async () => {
  const names = metricNames(await exposition());
  const asked = expressions.flatMap(metricsIn);
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});

it('[OP5] every metric of the gateway is on the dashboard', async () => {
  const names = [...(await exposition()).matchAll(/^# TYPE (gateway_\S+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(18);
  expect(names.filter((name) => !expressions.some((expression) => expression.includes(name)))).toEqual([]);
});

it('[OP5] the dashboard can be imported: its data source is a variable, and no panel lies on another', () => {
  expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toContainEqual(['datasource', 'datasource']);
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  for (const { datasource, targets = [] } of panels) {
    expect([datasource, ...targets.map((target) => target.datasource)].map((source) => source?.uid)).toEqual(
      Array.from({ length: targets.length + 1 }, () => `\${datasource}`),
    );
  }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

it('[OP5] every alert is explained, and every metric', async () => {
  const text = readFileSync('docs/operating.md', 'utf8');
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.filter(({ alert }) => !text.includes(`\`${alert}\``))).toEqual([]);
  const names = [...(await exposition()).matchAll(/^# TYPE (gateway_\S+)/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
});
