import { sleep } from '../../../actors/kit/sleep.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { App } from './app-types.ts';
import { answerOpenRequests, hasOpenRequests } from './open-requests.ts';

/** OP2: limit for open requests at shutdown. */
const longestMs = 10_000;
const stepMs = 50;
/** Without an open request, what is still there after these steps has nothing to say. */
const maxQuietSteps = 2;
/** For what is answered at the limit. */
const answerMs = 200;

export interface DrainOptions {
  /** How long open requests may take, from the beginning. Default: as long as OP2 says. */
  maxMs?: number | undefined;
  /**
   * How long clients that hold a connection are answered before idle connections are closed: each request is 503 and tells
   * its client to close. A request that crosses the closing of its connection would get a reset. Default: not at all.
   */
  refusingMs?: number | undefined;
}

/**
 * To be called when requests are refused. Then refuses connections too, waits for open requests, answers the rest with 503
 * and closes their connections.
 */
export async function drain(
  app: App,
  clock: Clock,
  { maxMs = longestMs, refusingMs = 0 }: DrainOptions = {},
): Promise<void> {
  const startedAt = clock.elapsed();
  if (refusingMs > 0 && (await hasConnections(app))) await sleep(clock, Math.min(refusingMs, maxMs));
  let timer: ReturnType<Clock['setTimeout']> | undefined;
  let quietSteps = 0;
  const step = (): void => {
    const overMs = clock.elapsed() - startedAt - maxMs;
    if (overMs >= 0) answerOpenRequests(app);
    quietSteps = hasOpenRequests(app) ? 0 : quietSteps + 1;
    // The answers have until then to leave. And a connection that has not sent a request yet, as browsers and pools open them
    // ahead, does not count as idle for Node.
    if (overMs >= answerMs || quietSteps > maxQuietSteps) app.server.closeAllConnections();
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

function hasConnections(app: App): Promise<boolean> {
  return new Promise((resolve) => {
    app.server.getConnections((error, count) => resolve(error !== null || count > 0));
  });
}
