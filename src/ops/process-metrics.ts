import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * CPU, memory, garbage collection and lag of the event loop, of the whole process. Measured from the first time on that
 * somebody asks: who never does pays nothing.
 */
export function readProcessMetrics(): Promise<string> {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry.metrics();
}
