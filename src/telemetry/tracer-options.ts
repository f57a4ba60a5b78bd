import type { Clock } from '../../actors/ports/clock.ts';
import type { Log } from '../../actors/ports/log.ts';

export interface TracerOptions {
  /** The OTLP endpoint of an OpenTelemetry collector, over HTTP: `http://localhost:4318`. */
  endpoint: string;
  /** The share of traces that is recorded, 0 to 1. A trace that a caller began keeps the caller's decision. */
  sampledShare: number;
  /** Of the gateway. */
  version: string;
  /** Tells this process's spans from those of other gateways, and of earlier runs. */
  instance: string;
  clock: Clock;
  log: Pick<Log, 'info' | 'warn'>;
}
