import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { App } from '../app-types.ts';

/** How often the lag is looked at. */
const everyMs = 1_000;
/** How often Node takes a sample of it. */
const resolutionMs = 10;
const retryAfterSeconds = 5;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Cheap, and polled by people who wait for a login: served under overload too (ER1). */
    isNeverRefused?: true;
  }
}

/**
 * Refuses requests with 503 while the event loop runs late: by more than `maxLagMs`, as a mean of the last second.
 * `@fastify/under-pressure` also reads the memory on a timer, which throws, and so ends the process, where no descriptor
 * is left (FA1).
 */
export function refuseOverload(app: App, clock: Clock, maxLagMs: number): void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let lagMs = 0;
  const look = (): void => {
    // Without a sample in a whole second it runs as late as can be.
    lagMs = Number.isNaN(histogram.mean) ? Infinity : histogram.mean / 1e6 - resolutionMs;
    histogram.reset();
    timer = clock.setTimeout(look, everyMs);
  };
  let timer = clock.setTimeout(look, everyMs);
  app.addHook('onClose', (_app, done) => {
    clock.clearTimeout(timer);
    histogram.disable();
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = lagMs > maxLagMs && request.routeOptions.config.isNeverRefused !== true;
    done(isRefused ? new GatewayError(503, 'service overloaded', retryAfterSeconds) : undefined);
  });
}
