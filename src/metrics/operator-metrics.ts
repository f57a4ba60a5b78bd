import { Registry } from 'prom-client';
import type { ClusterMeter } from '../cluster/cluster-meter.ts';
import { addOwnedPartitions, createClusterMeter } from './cluster-metrics.ts';
import { createCounts } from './metric-counts.ts';
import { addReadings, type Readings } from './metric-readings.ts';
import type { Metrics } from './metrics.ts';
import { readProcessMetrics } from './process-metrics.ts';

/** The metrics of one gateway: counts of events, and values read at a scrape. */
export interface OperatorMetrics {
  counts: Metrics;
  /** The measures of a node among others. Call it once, if there are others. @param owned how many partitions it may act for */
  addCluster(owned: () => number): ClusterMeter;
  /** Adds the values that are read at a scrape. Call it once, as soon as the parts that they come from exist. */
  addReadings(readings: Readings): void;
  /** All metrics, with those of the process, in Prometheus' text format (0.0.4). */
  read(): Promise<string>;
}

/** `docs/operating.md` explains each metric. */
export function createMetrics(): OperatorMetrics {
  const registry = new Registry();
  const counts = createCounts(registry);
  return {
    counts,
    addCluster: (owned) => {
      addOwnedPartitions(registry, owned);
      return createClusterMeter(registry);
    },
    addReadings: (readings) => addReadings(registry, readings),
    read: async () => {
      const [own, ofProcess] = await Promise.all([registry.metrics(), readProcessMetrics()]);
      return `${own}\n${ofProcess}`;
    },
  };
}
