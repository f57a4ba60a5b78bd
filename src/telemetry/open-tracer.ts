import type { Clock } from '../../actors/ports/clock.ts';
import type { Log } from '../../actors/ports/log.ts';
import type { Tracer } from './tracer.ts';

export interface TracerOptions {
  /** Where an OpenTelemetry collector takes OTLP over HTTP: `http://localhost:4318`. */
  endpoint: string;
  /** Of the traces that nobody else has begun, 0 to 1. */
  sampledShare: number;
  clock: Clock;
  log: Pick<Log, 'info' | 'warn'>;
}

/** Opens what traces are sent by. OpenTelemetry is loaded here, by who wants traces, and by nobody else. */
export async function openTracer(options: TracerOptions): Promise<Tracer> {
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  return createOtlpTracer(options);
}
