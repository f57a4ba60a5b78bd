import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { alertCases } from '../../support/metrics/alert-cases.ts';
import { programOf } from '../../support/repository/programs.ts';

const alertsFile = resolve('docs/grafana/alerts.yaml');
const alerts = (parse(readFileSync(alertsFile, 'utf8')) as { groups: { rules: { alert: string }[] }[] }).groups
  .flatMap(({ rules }) => rules)
  .map(({ alert }) => alert);

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

/** What promtool says of an hour: whether the alert stands at its end as wanted. */
function judge(
  alert: string,
  scraped: Record<string, string>,
  wanted: number,
): { status: number | null; said: string } {
  const file = join(folder.path, `${alert}-${wanted}.yaml`);
  const test = {
    interval: '1m',
    input_series: Object.entries(scraped).map(([series, values]) => ({ series, values: values.trim() })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: '60m',
        exp_samples: wanted === 0 ? [] : [{ labels: '{}', value: wanted }],
      },
    ],
  };
  writeFileSync(file, stringify({ rule_files: [alertsFile], evaluation_interval: '1m', tests: [test] }));
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', file], { encoding: 'utf8' });
  return { status, said: status === 0 ? '' : stdout + stderr };
}

const promtool = programOf('promtool', 'prometheus');

it('[OP5.2] each alert has an hour in which it stands, and one in which it does not', () => {
  expect(Object.keys(alertCases).toSorted()).toEqual(alerts.toSorted());
});

it.skipIf(promtool === undefined).each(alerts)('[OP5.2] Prometheus raises %s, and not too early', (alert) => {
  const { fires = {}, calm = {} } = alertCases[alert] ?? {};
  expect(judge(alert, fires, 1)).toEqual({ status: 0, said: '' });
  expect(judge(alert, calm, 0)).toEqual({ status: 0, said: '' });
});
