import { maxHeaderSize } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import staticFiles from '@fastify/static';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { channelPath } from '../hop/channel/node-channels.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { createIdentification } from './access/identify-caller.ts';
import { createRefusal } from './access/refusal.ts';
import { requireScope } from './access/require-scope.ts';
import { requireDeclaredScopes } from './access/route-scopes.ts';
import { addRoutes } from './add-routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { inspectorPath, inspectorRoutes } from './inspector/routes.ts';
import { acceptHops } from './nodes/accept-hops.ts';
import { describeApi } from './openapi/document.ts';
import { healthRoutes } from './operator/health-routes.ts';
import { metricsRoutes } from './operator/metrics-routes.ts';
import { readerSocketPath } from './reader/routes.ts';
import type { App, AppDeps } from './shared/app-types.ts';
import { refuseConnect, sendClientError, sendError, sendExpectationError } from './shared/error-responses.ts';
import { jsonText } from './shared/json-text.ts';
import { answerPreflights, type CorsOrigins, exposeResponses } from './shared/limits/cors.ts';
import { hostFault } from './shared/limits/host-fault.ts';
import { refuseOverload } from './shared/limits/refuse-overload.ts';
import { type OwnAddresses, refuseStrangers } from './shared/limits/refuse-strangers.ts';
import { trackOpenRequests } from './shared/open-requests.ts';
import { requestIds } from './shared/request-ids.ts';
import { logRequests, withoutChildren } from './shared/request-log.ts';
import { traceRequests } from './shared/trace-requests.ts';
import { addUnknownRoutes } from './shared/unknown-routes.ts';
import { validatorCompiler } from './shared/validation.ts';
import { takeUpgrades } from './websocket/upgrade.ts';

const bodyLimitBytes = 256 * 1024;
/** Limit for receiving a whole request; responses may take longer (a send: 240 s, and as long for its turn). */
const requestTimeoutMs = 30_000;
/** How often Node looks whether that limit has passed: 30 s by default, which would double it. */
const connectionsCheckingInterval = 5_000;
/** Limit for an idle connection, also one that waits: longer than the longest response (240 s for its turn, 240 s to send). */
const connectionTimeoutMs = 540_000;
/** Longer than the 60 s after which load balancers usually stop reusing a connection. */
const keepAliveTimeoutMs = 72_000;

export interface AppOptions extends AppDeps {
  log: FastifyBaseLogger;
  apiKey: string | undefined;
  /** It reads `/metrics` and nothing else (KY4). */
  metricsToken?: string | undefined;
  /** AU5: without an API key, requests to other addresses and from pages of other sites are refused. */
  ownAddresses?: OwnAddresses | undefined;
  /** Pages of these origins may read responses (CR1); default: of none. */
  corsOrigins?: CorsOrigins | undefined;
  /** Addresses and ranges of proxies, whose clients are told apart by `X-Forwarded-For` (AU3); default: none. */
  trustedProxies?: readonly string[] | undefined;
  /** Control API of the sandbox that replaces Telegram, if there is one. */
  sandboxUrl?: string | undefined;
  /** The reasons why the gateway is not ready, one a line. */
  reasonsAgainstReady: () => readonly string[];
  /** What an operator has to mend although requests are served; `/health/ready` has it. */
  warnings: () => readonly string[];
  /** False until the views were brought up to date: before that no session can be looked up. */
  hasViews: () => boolean;
  /** True from the moment when new requests are refused. */
  isClosing: () => boolean;
  tracer?: Tracer | undefined;
  /** Above this mean lag of the event loop, requests are refused with 503; 0: never. */
  maxLagMs: number;
}

/** Builds the HTTP side; does not listen. */
export async function buildApp(options: AppOptions): Promise<App> {
  const {
    log,
    apiKey,
    trustedProxies = [],
    corsOrigins = [],
    hasViews,
    isClosing,
    maxLagMs,
    reasonsAgainstReady,
    warnings,
    randomness,
  } = options;
  const app: App = fastify({
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(randomness.bytes(4).toString('hex')),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: connectionTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Fastify's own response while closing has a body that ER1 forbids: `refuseWhenClosing` replaces it.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // No route has a parameter that takes long to match, so Node's limit of the whole head is limit enough.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    exposeHeadRoutes: false,
    // Node's own response has no body.
    // Node's limit for the head is 60 s, and the longer of the two would be the one for the whole request.
    http: { requireHostHeader: false, connectionsCheckingInterval, headersTimeout: requestTimeoutMs },
    clientErrorHandler: sendClientError,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setErrorHandler(sendError);
  app.setReplySerializer(jsonText);
  app.server.on('checkExpectation', sendExpectationError);
  app.server.on('connect', refuseConnect);
  app.setValidatorCompiler(validatorCompiler);
  acceptJsonOnly(app);
  addUnknownRoutes(app);
  requireDeclaredScopes(app);
  app.decorateRequest('hop');
  app.decorateRequest('answeredBy');
  app.decorateRequest('underWay');
  const { cluster, clusterKey } = options;
  if (cluster !== undefined && clusterKey !== undefined) acceptHops(app, { ...options, cluster, clusterKey });
  if (options.tracer !== undefined) traceRequests(app, options.tracer);
  logRequests(app, options.metrics);
  app.decorateRequest('view');
  app.decorateRequest('caller');
  app.decorateRequest('sessionId', '');
  trackOpenRequests(app);
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing()) reply.header('connection', 'close');
    done(null, payload);
  });
  if (corsOrigins.length > 0) exposeResponses(app, corsOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Another node answers what this one has given up (CL4).
    if (isClosing() && cluster === undefined) {
      reply.header('connection', 'close');
      done(new GatewayError(503, 'service is shutting down', 5));
    } else {
      done(hostFault(request.raw.rawHeaders));
    }
  });
  if (options.ownAddresses !== undefined) refuseStrangers(app, options.ownAddresses);
  if (corsOrigins.length > 0) answerPreflights(app, corsOrigins);
  await app.register(rateLimit, { global: false });
  // The routes of the pages send files with `reply.sendFile`; it serves none by itself.
  await app.register(staticFiles, { serve: false, preCompressed: true });
  await describeApi(app);

  healthRoutes(app, reasonsAgainstReady, warnings);
  consoleRoutes(app, { apiKey, sandboxUrl: options.sandboxUrl });
  const { keys, metricsToken } = options;
  const by = { identify: createIdentification({ apiKey, metricsToken, keys }), refuse: createRefusal(app) };
  // Served under overload too.
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', requireScope(by));
    metricsRoutes(scope, options);
  });
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', (_request, _reply, done) => {
      done(hasViews() ? undefined : new GatewayError(503, 'service is starting', 5));
    });
    if (maxLagMs > 0) refuseOverload(scope, options.clock, maxLagMs);
    const upgradeOf = takeUpgrades(scope, options.clock, [inspectorPath, readerSocketPath, channelPath]);
    addRoutes(scope, options, { ...by, upgradeOf, isClosing });
    inspectorRoutes(scope, options, requireScope(by), upgradeOf);
  });
  return app;
}

/** An empty body with `application/json` counts as no body: clients send the header with DELETE too. */
function acceptJsonOnly(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null);
    else void parse(request, String(body), done);
  });
}
