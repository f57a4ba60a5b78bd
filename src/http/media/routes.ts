import type { FastifyReply, FastifyRequest } from 'fastify';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { mediaNotFound } from '../../media/links/media-errors.ts';
import type { MediaLink } from '../../media/links/media-link.ts';
import { viewMedia } from '../../media/links/view-media.ts';
import { awaitTakeover } from '../access/await-takeover.ts';
import { liveView } from '../access/live-view.ts';
import type { PassToOwner } from '../nodes/pass-to-owner.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { OpenLimit } from '../shared/limits/open-limit.ts';
import { mediaPath } from '../shared/request-log.ts';
import { sessionAccount } from '../shared/session-account.ts';

type Deps = Pick<
  AppDeps,
  'mediaLinks' | 'mediaFiles' | 'sealer' | 'sessions' | 'views' | 'usage' | 'cluster' | 'clock'
>;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Of one link (NB3.2). */
const maxViewers = 64;

/** `GET` and `HEAD /media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}`: the link is the credential. */
export function mediaRoutes(app: App, deps: Deps, passTo: PassToOwner): void {
  const viewers = new OpenLimit(maxViewers, 'too many viewers of this link');
  app.route({
    method: ['GET', 'HEAD'],
    url: mediaPath,
    config: { scope: 'anyone' },
    // Of something else it is as well to say here that it is no link.
    onRequest: passTo((request) => sessionIn(request)),
    handler: async (request, reply) => {
      const link = await mediaLinkOf(request, deps);
      reply.raw.once('close', viewers.enter(keyOf(link)));
      const left = whenGone(reply);
      if (deps.cluster !== undefined) await awaitTakeover(deps, link.sessionId);
      const file = await deps.mediaFiles.find(link, left);
      const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
      const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
      const response = await viewMedia(
        file,
        { method, range, ifRange: ifRange as string | undefined, ifNoneMatch },
        left,
      );
      reply.code(response.status).headers(response.headers);
      if (response.status === 416) throw new GatewayError(416, 'range not satisfiable');
      const { body } = response;
      body?.once('close', () => deps.usage.count(link.sessionId, undefined, 'mediaBytes', body.bytes));
      return reply.send(body);
    },
  });
}

/**
 * Checks the path exactly as it was sent: a path that only decodes to a link is none.
 * @throws {GatewayError} 400 `invalid id`, 404 `media not found`
 */
async function mediaLinkOf({ originalUrl }: FastifyRequest, deps: Deps): Promise<MediaLink> {
  const platformId = sessionIn({ originalUrl });
  if (platformId === undefined) throw new GatewayError(400, 'invalid id');
  const view = liveView(deps, platformId);
  if (view === undefined) throw mediaNotFound();
  const link = deps.mediaLinks.verify(originalUrl, await sessionAccount(view, deps.sealer));
  if (link === undefined) throw mediaNotFound();
  return link;
}

function sessionIn({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string | undefined {
  const [, , platformId = ''] = originalUrl.split('/');
  return uuid.test(platformId) ? platformId : undefined;
}

const keyOf = ({ sessionId, account, ref }: MediaLink): string =>
  [sessionId, account, ref.chatId, ref.messageId, ref.variant].join('/');

/** Aborted when the connection closes, also after the whole response. */
function whenGone(reply: FastifyReply): LightAbort {
  const left = new LightAbort();
  reply.raw.once('close', () => left.abort(new GatewayError(499, 'the viewer has left')));
  return left;
}
