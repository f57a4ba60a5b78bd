import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../../metrics/metrics.ts';
import type { App } from './app-types.ts';

/** Replaces the path of a media link in the log: a reader of the log could open the link. */
export const mediaPath = '/media/*';

/** Polled every few seconds by machines. */
const frequent: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/** Wrong credentials are 401, 404, and 429 once there are many (AU3.2). Of others, the address is nobody's business. */
const doubted: ReadonlySet<number> = new Set([401, 404, 429]);

/** Longer than every path of the interface; only a mistake or an attack has more characters. */
const maxPathLength = 256;

/**
 * One line for each request: what it was, how it ended, how long it took, its session with its caller's own ID, its key, and
 * Telegram's error if it
 * refused; the node that answered, of several; the address of a caller whose credentials may be wrong; never a header, a query or a body. The metrics count it too.
 */
export function logRequests(app: App, metrics: Metrics): void {
  app.decorateRequest('refusal');
  app.decorateRequest('traceId');
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode: status, elapsedTime } = reply;
    const view = request.view as typeof request.view | undefined;
    // Fastify builds these options again at each access.
    const { url: route } = request.routeOptions;
    metrics.requested({ method, route, status }, elapsedTime / 1000);
    const level = status < 400 && frequent.has(route) ? 'debug' : 'info';
    request.log[level](
      {
        reqId: request.id,
        traceId: request.traceId,
        method,
        path: pathOf(request.url, route),
        status,
        ms: Math.round(elapsedTime * 10) / 10,
        session: view?.id,
        externalId: view?.externalId,
        answeredBy: request.answeredBy,
        key: (request.caller as typeof request.caller | undefined)?.keyId,
        error: request.refusal,
        client: doubted.has(status) ? request.ip : undefined,
      },
      'request',
    );
    done();
  });
}

/** Never the path of a media link, or of anything that could be one: a reader of the log could open it. */
export function pathOf(url: string, route: string | undefined): string {
  if (route === mediaPath || /\/media\//i.test(url)) return mediaPath;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}

/**
 * A logger for each request costs a tenth of a fast request; the two lines that are written name the request
 * themselves.
 */
export function withoutChildren(log: FastifyBaseLogger): FastifyBaseLogger {
  const only = Object.create(log) as FastifyBaseLogger;
  only.child = () => only;
  return only;
}
