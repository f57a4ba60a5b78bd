import type { Clock } from '../../../actors/ports/clock.ts';
import type { App } from './app-types.ts';

/** OP2: limit for open requests at shutdown. */
const drainMs = 10_000;
const stepMs = 50;

/** Refuses new connections, waits for open requests, then closes the rest. */
export async function drain(app: App, clock: Clock): Promise<void> {
  const startedAt = clock.elapsed();
  let timer: ReturnType<Clock['setTimeout']> | undefined;
  const step = (): void => {
    if (clock.elapsed() - startedAt >= drainMs) app.server.closeAllConnections();
    // A connection whose last request has just ended would wait for another one.
    else app.server.closeIdleConnections();
    timer = clock.setTimeout(step, stepMs);
  };
  step();
  try {
    await app.close();
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
  }
}
