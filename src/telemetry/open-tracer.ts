import type { Tracer } from './tracer.ts';
import type { TracerOptions } from './tracer-options.ts';

/** Creates the tracer. OpenTelemetry is loaded only here, so a gateway without traces does not load it. */
export async function openTracer(options: TracerOptions): Promise<Tracer> {
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  return createOtlpTracer(options);
}
