import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/** Sums of others that go up and down, under names that are for what only goes up: `promtool check metrics` objects. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * CPU, memory, garbage collection and lag of the event loop, of the whole process. Measured from the first time on that
 * somebody asks: who never does pays nothing.
 */
export function readProcessMetrics(): Promise<string> {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
    for (const name of misnamed) registry.removeSingleMetric(name);
  }
  return registry.metrics();
}
