import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import { givenKey } from '../../inspector/given-key.ts';
import { Inspector, type InspectorDeps } from '../../inspector/inspector.ts';
import { maySee } from '../access/caller.ts';
import { credentialEnd } from '../access/credential-end.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { sendInvalid } from '../shared/error-responses.ts';
import { onUpgradeEnd, takeOver, type UpgradeOf } from '../websocket/upgrade.ts';

export const inspectorPath = '/inspector';
const InspectorQuery = Type.Object({
  session: Type.Optional(Type.String()),
  replay: Type.Optional(Type.Enum(['0', '1'])),
});

const folder = fileURLToPath(new URL('../../inspector/page/', import.meta.url));
const security = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

type Deps = Pick<AppDeps, 'store' | 'views' | 'keys' | 'clock' | 'reportUnreadable'> &
  Pick<InspectorDeps, 'log'> & { apiKey: string | undefined };
type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * `/inspector`: as a WebSocket, sessions in the protocol of Stately's inspector (IN2), with a key; as a page
 * without a key, it opens Stately's inspector (IN5).
 */
export function inspectorRoutes(app: App, deps: Deps, requireKey: Hook, upgradeOf: UpgradeOf): void {
  const inspector = new Inspector(deps, sendInvalid);
  app.addHook('preClose', (done) => {
    inspector.close();
    done();
  });

  const guard: Hook = (request, reply, done) => {
    if (upgradeOf(request.raw) === undefined) return done();
    if (deps.apiKey === undefined && !isOwnPage(request)) {
      return done(new GatewayError(403, 'pages from elsewhere may not look on'));
    }
    // Copies the key to the one header that the check reads.
    request.headers['x-api-key'] = givenKey(request.headers);
    requireKey(request, reply, done);
  };

  const onCredentialEnd = credentialEnd(deps);
  // The page is for everyone: the guard asks WebSockets alone for a key.
  const options = {
    schema: { querystring: InspectorQuery },
    onRequest: guard,
    config: { scope: 'sessions:read' },
  } as const;
  app.get(inspectorPath, options, async (request, reply) => {
    const upgrade = upgradeOf(request.raw);
    if (upgrade === undefined) return sendPage(request, reply);
    const { session, replay } = request.query;
    if (replay === '1' && session === undefined) throw new GatewayError(400, 'replay needs a session');
    const { caller } = request;
    const view = session === undefined ? undefined : deps.views.get(session);
    if (session !== undefined && (view === undefined || !maySee(caller, view))) throw sessionNotFound();
    if (inspector.isFull) throw new GatewayError(503, 'too many inspectors look on', 30);
    reply.hijack();
    const wish = {
      ...(session !== undefined && { session }),
      replay: replay === '1',
      tenant: caller.powers.tenant,
      onKeyEnd: (listener: () => void) => onCredentialEnd(request, listener),
    };
    onUpgradeEnd(upgrade, inspector.accept(takeOver(upgrade), wish) ? 101 : 400);
    return reply;
  });

  for (const file of ['inspector.js', 'inspector.css']) {
    app.get(`${inspectorPath}/${file}`, { config: { scope: 'anyone' } }, (_request, reply) =>
      sendPageFile(reply, file),
    );
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [at = '', query] = request.url.split('?', 2);
  // The page names its files by relative URLs, so that a proxy may put it below any path.
  if (!at.endsWith('/')) return reply.redirect(`inspector/${query === undefined ? '' : `?${query}`}`);
  return sendPageFile(reply, 'index.html');
}

const sendPageFile = (reply: FastifyReply, file: string): FastifyReply =>
  reply.headers(security).sendFile(file, folder, { cacheControl: false });

/**
 * Any web page can open a WebSocket to any host. Without an API key, only the gateway's own page, or a program, may.
 */
function isOwnPage({ headers: { origin, host } }: FastifyRequest): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
