import type { FastifyReply, FastifyRequest } from 'fastify';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { mediaNotFound } from '../../media/links/media-errors.ts';
import type { MediaLink } from '../../media/links/media-link.ts';
import { viewMedia } from '../../media/links/view-media.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { liveView } from '../shared/live-view.ts';
import { mediaPath } from '../shared/request-log.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `GET` and `HEAD /media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}`: for anyone who has the link. */
export function mediaRoutes(app: App, parts: Pick<AppDeps, 'mediaLinks' | 'mediaFiles' | 'sessions' | 'views'>): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: mediaPath,
    handler: async (request, reply) => {
      const link = mediaLinkOf(request, parts);
      const left = whenGone(reply);
      const file = await parts.mediaFiles.find(link, left);
      const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
      const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
      const answer = await viewMedia(
        file,
        { method, range, ifRange: ifRange as string | undefined, ifNoneMatch },
        left,
      );
      reply.code(answer.status).headers(answer.headers);
      if (answer.status === 416) throw new GatewayError(416, 'range not satisfiable');
      return reply.send(answer.body);
    },
  });
}

/**
 * Checks the path exactly as it was sent: a path that only decodes to a link is none.
 * @throws {GatewayError} 400 `invalid id`, 404 `media not found`
 */
function mediaLinkOf(
  { originalUrl }: FastifyRequest,
  deps: Pick<AppDeps, 'mediaLinks' | 'sessions' | 'views'>,
): MediaLink {
  const [, , platformId = ''] = originalUrl.split('/');
  if (!uuid.test(platformId)) throw new GatewayError(400, 'invalid id');
  const link = deps.mediaLinks.verify(originalUrl);
  if (link === undefined) throw mediaNotFound();
  if (liveView(deps, link.sessionId) === undefined) throw mediaNotFound();
  return link;
}

/** Aborted when the viewer leaves; also after everything was sent, when no code listens any more. */
function whenGone(reply: FastifyReply): LightAbort {
  const left = new LightAbort();
  reply.raw.once('close', () => left.abort(new GatewayError(499, 'the viewer has left')));
  return left;
}
