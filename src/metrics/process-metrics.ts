import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/** Sums of gauges under names that are reserved for counters: `promtool check metrics` objects to them. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * CPU, memory, garbage collection and event loop lag of the process. Measured from the first scrape on, so that it
 * costs nothing without one.
 */
export function readProcessMetrics(): Promise<string> {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
    for (const name of misnamed) registry.removeSingleMetric(name);
  }
  return registry.metrics();
}
