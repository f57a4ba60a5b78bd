import type { Metrics } from '../../metrics/metrics.ts';
import { mediaPath } from '../media/routes.ts';
import type { App } from './app-types.ts';

/** Asked every few seconds by machines. */
const frequent: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * One line a request: what, how it ended, how long it took, whose session, and the name of the error where Telegram
 * refused; never a header, a query or a body. And one more in the metrics.
 */
export function logRequests(app: App, metrics: Metrics): void {
  app.decorateRequest('refusal');
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode: status, elapsedTime } = reply;
    // Fastify makes these options anew each time that they are asked for.
    const { url: route } = request.routeOptions;
    metrics.requested({ method, route, status }, elapsedTime / 1000);
    const level = status < 400 && frequent.has(route) ? 'debug' : 'info';
    request.log[level](
      {
        reqId: request.id,
        method,
        path: pathOf(request.url, route),
        status,
        ms: Math.round(elapsedTime * 10) / 10,
        session: (request.view as typeof request.view | undefined)?.id,
        error: request.refusal,
      },
      'request',
    );
    done();
  });
}

/** Never the path of a media link, nor what could become one: whoever has it can open the link. */
function pathOf(url: string, route: string | undefined): string {
  if (route === mediaPath || /\/media\//i.test(url)) return mediaPath;
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
