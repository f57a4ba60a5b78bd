import type { FastifyRequest } from 'fastify';
import type { App } from './app-types.ts';
import { mediaPath } from './media-routes.ts';

/**
 * One line a request: what, how it ended, how long it took, whose session, and the name of the error where Telegram
 * refused; never a header, a query or a body.
 */
export function logRequests(app: App): void {
  app.decorateRequest('refusal');
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        reqId: request.id,
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        session: (request.view as typeof request.view | undefined)?.id,
        error: request.refusal,
      },
      'request',
    );
    done();
  });
}

/** Never the path of a media link, nor what could become one: whoever has it can open the link. */
function pathOf({ url, routeOptions }: FastifyRequest): string {
  if (routeOptions.url === mediaPath || /\/media\//i.test(url)) return mediaPath;
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
