import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics, type OperatorMetrics } from '../../../src/metrics/operator-metrics.ts';
import { type Selector, selectorsOf } from '../../support/metrics/metric-expression.ts';
import { metricNames, metricSamples } from '../../support/metrics/metric-samples.ts';

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

const silent: Parameters<OperatorMetrics['addReadings']>[0] = {
  sessions: () => ({ connected: 1 }),
  isReady: () => true,
  isStoreAway: () => false,
  viewLagMs: () => 0,
  mediaCacheBytes: () => 0,
  unreadableEvents: () => new Map([['session', 0]]),
  webhooks: () => ({ pending: 0, oldestAt: undefined, delivered: 0, failed: 0, parked: 0 }),
  operatorWebhooks: () => ({ pending: 0, oldestAt: undefined, delivered: 0, failed: 0, parked: 0 }),
  now: () => 0,
};

/** Every metric that there is, before anything has happened. */
const exposition = (): Promise<string> => silentMetrics().read();

function silentMetrics(): OperatorMetrics {
  const metrics = createMetrics();
  metrics.addReadings(silent);
  return metrics;
}

/** The same once there has been something of each kind. */
async function eventful(): Promise<string> {
  const metrics = silentMetrics();
  const { counts } = metrics;
  counts.requested({ method: 'GET', route: '/session', status: 503 }, 1);
  counts.sent('text', 'sent', 1);
  counts.waitAsked({ request: 'messages.SendMessage', waited: false });
  counts.happened({ type: 'ConnectionLost', from: 'connected', to: 'disconnected', reason: 'unreachable' });
  counts.happened({ type: 'LoginLost', from: 'connected', to: 'qrPending', reason: 'SESSION_REVOKED' });
  return metrics.read();
}

/** What Prometheus itself puts on every series, and on those of a histogram. */
const given = new Set(['job', 'instance', 'le']);

/** What is wrong with what an expression asks for. */
function faultsOf(expression: string, text: string): string[] {
  const names = metricNames(text);
  const samples = [...metricSamples(text).keys()];
  const seriesOf = ({ name }: Selector): string[] =>
    samples.filter((sample) => sample === name || sample.startsWith(`${name}{`));
  return selectorsOf(expression).flatMap((asked) => {
    if (!names.has(asked.name)) return [`no metric ${asked.name}`];
    const series = seriesOf(asked);
    const strange = asked.labels.filter(
      (label) => !given.has(label) && !series.some((one) => one.includes(`${label}="`)),
    );
    const wanted = Object.entries(asked.equal).map(([label, value]) => `${label}="${value}"`);
    const isThere = series.some((one) => wanted.every((pair) => one.includes(pair)));
    return [
      ...strange.map((label) => `${asked.name} has no label ${label}`),
      ...(isThere ? [] : [`no series ${asked.name}{${wanted.join(',')}}`]),
    ];
  });
}

it('[OP5.2] the dashboard and the alerts ask for metrics, labels and values that there are', async () => {
  const text = await eventful();
  expect(expressions.flatMap(selectorsOf).length).toBeGreaterThan(50);
  expect(expressions.flatMap((expression) => faultsOf(expression, text))).toEqual([]);
  expect(
    [
      'rate(http_requests_total[5m]) > 0',
      'sum by (instance, colour) (gateway_sessions)',
      'gateway_sessions{state="asleep"} == 0 and absent(gateway_reddy)',
    ].flatMap((expression) => faultsOf(expression, text)),
  ).toEqual([
    'no metric http_requests_total',
    'gateway_sessions has no label colour',
    'no series gateway_sessions{state="asleep"}',
    'no metric gateway_reddy',
  ]);
});

it('[OP5.2] what an alert wants to see grow is there before it has happened: a series that is born is none that grows', async () => {
  const text = await exposition();
  const growing = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/increase\(([^()]+)\)/g)].map(([, selector = '']) => selector),
  );
  expect(growing.length).toBeGreaterThan(6);
  // Of these one alone is no reason to wake anybody: the reason, or the request, may be any.
  const many = growing.filter((selector) => !/^gateway_(?:logins_lost_total\[|telegram_waits_total)/.test(selector));
  expect(many.flatMap((selector) => faultsOf(selector, text))).toEqual([]);
});

it('[OP5.2] what may go down is not named as a total: promtool check metrics has nothing to say', async () => {
  const types = [...(await exposition()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  expect(types.filter(([, name = '', type]) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
});

it('[OP5.2] every metric of the gateway is on the dashboard', async () => {
  const names = [...(await exposition()).matchAll(/^# TYPE (gateway_\S+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(18);
  expect(names.filter((name) => !expressions.some((expression) => expression.includes(name)))).toEqual([]);
});

it('[OP5.2] the dashboard can be imported: its data source is a variable, and no panel lies on another', () => {
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

it('[OP5.2] every alert is explained, and every metric', async () => {
  const text = readFileSync('docs/operating.md', 'utf8');
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.filter(({ alert }) => !text.includes(`\`${alert}\``))).toEqual([]);
  const names = [...(await exposition()).matchAll(/^# TYPE (gateway_\S+)/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
});
