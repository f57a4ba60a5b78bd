import { Registry } from 'prom-client';
import { createCounts } from './metric-counts.ts';
import { addReadings, type Readings } from './metric-readings.ts';
import type { Metrics } from './metrics.ts';
import { readProcessMetrics } from './process-metrics.ts';

/** The metrics of one gateway: counts of events, and values read at a scrape. */
export interface OperatorMetrics {
  counts: Metrics;
  /** All metrics, with those of the process, in Prometheus' text format (0.0.4). */
  read(): Promise<string>;
}

/** `docs/operating.md` explains each metric. */
export function createMetrics(readings: Readings): OperatorMetrics {
  const registry = new Registry();
  const counts = createCounts(registry);
  addReadings(registry, readings);
  return {
    counts,
    read: async () => {
      const [own, ofProcess] = await Promise.all([registry.metrics(), readProcessMetrics()]);
      return `${own}\n${ofProcess}`;
    },
  };
}
