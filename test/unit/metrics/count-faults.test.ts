import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { FaultPart } from '../../../actors/ports/log.ts';
import { countFaults } from '../../../src/metrics/count-faults.ts';
import { createMetrics } from '../../../src/metrics/operator-metrics.ts';
import { metricSamples } from '../../support/metrics/metric-samples.ts';

it('[OP5.3] counts every error by its part, and logs it as before', async () => {
  const lines: { level: number; msg: string; where?: FaultPart }[] = [];
  const bare = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const metrics = createMetrics();
  const log = countFaults(bare, metrics.counts);

  log.error({ where: 'views', err: new Error('lost') }, 'the views failed');
  log.error({ where: 'views' }, 'again');
  log.error({}, 'of a package');
  log.warn({ where: 'http' }, 'only a warning');

  expect(lines.map(({ level, msg, where }) => [level, msg, where])).toEqual([
    [50, 'the views failed', 'views'],
    [50, 'again', 'views'],
    [50, 'of a package', undefined],
    [40, 'only a warning', 'http'],
  ]);
  const found = metricSamples(await metrics.read());
  expect(found.get('gateway_faults_total{where="views"}')).toBe(2);
  expect(found.get('gateway_faults_total{where="process"}')).toBe(1);
  expect(found.get('gateway_faults_total{where="http"}')).toBe(0);
});
