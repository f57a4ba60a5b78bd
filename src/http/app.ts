import { maxHeaderSize } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import staticFiles from '@fastify/static';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import { GatewayError, sessionNotFound } from '../errors/gateway-error.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import {
  authenticateSession,
  forbidStoring,
  requireActive,
  requireConnected,
  requireSecret,
} from './access/authenticate-session.ts';
import { credentialEnd } from './access/credential-end.ts';
import { createIdentification, type IdentifyCaller } from './access/identify-caller.ts';
import { createRefusal, type Refuse } from './access/refusal.ts';
import { nameSession, nameSessionByPath, requireScope, requireSight } from './access/require-scope.ts';
import { requireDeclaredScopes, scopeOfGroup } from './access/route-scopes.ts';
import { accountRoutes } from './account/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { channelRoutes } from './channel/routes.ts';
import { chatRoutes } from './chat/routes.ts';
import { chatSettingRoutes } from './chat/setting-routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { contactRoutes } from './contact/routes.ts';
import { fileRoutes } from './file/routes.ts';
import { groupRoutes } from './group/routes.ts';
import { inspectorPath, inspectorRoutes } from './inspector/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { customerRoutes } from './link/customer-routes.ts';
import { linkRoutes } from './link/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { messageActionRoutes } from './message/action-routes.ts';
import { messageRoutes } from './message/routes.ts';
import { scheduledRoutes } from './message/scheduled-routes.ts';
import { describeApi } from './openapi/document.ts';
import { healthRoutes } from './operator/health-routes.ts';
import { metricsRoutes } from './operator/metrics-routes.ts';
import { operatorReadRoutes } from './operator/read-routes.ts';
import { sessionControlRoutes } from './operator/session-control-routes.ts';
import { operatorWebhookRoutes } from './operator-webhook/routes.ts';
import { readerRoutes, readerSocketPath } from './reader/routes.ts';
import { changeRoutes, operatorChangeRoute } from './session/change-routes.ts';
import { creationRoute, sessionRoutes } from './session/routes.ts';
import { stringRoute } from './session/string-route.ts';
import type { App, AppDeps } from './shared/app-types.ts';
import { refuseConnect, sendClientError, sendError, sendExpectationError } from './shared/error-responses.ts';
import { EventStreams } from './shared/event-stream.ts';
import { jsonText } from './shared/json-text.ts';
import { answerPreflights, type CorsOrigins, exposeResponses } from './shared/limits/cors.ts';
import { hostFault } from './shared/limits/host-fault.ts';
import { LargeBodies } from './shared/limits/large-bodies.ts';
import { refuseOverload } from './shared/limits/refuse-overload.ts';
import { type OwnAddresses, refuseStrangers } from './shared/limits/refuse-strangers.ts';
import { trackOpenRequests } from './shared/open-requests.ts';
import { requestIds } from './shared/request-ids.ts';
import { logRequests, withoutChildren } from './shared/request-log.ts';
import { traceRequests } from './shared/trace-requests.ts';
import { addUnknownRoutes } from './shared/unknown-routes.ts';
import { validatorCompiler } from './shared/validation.ts';
import { statusRoutes } from './status/routes.ts';
import { telegramRoutes } from './telegram/routes.ts';
import { typingRoutes } from './typing/routes.ts';
import { userRoutes } from './user/routes.ts';
import { webhookRoutes } from './webhook/routes.ts';
import { takeUpgrades, type UpgradeOf } from './websocket/upgrade.ts';

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
    if (isClosing()) {
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
    const upgradeOf = takeUpgrades(scope, [inspectorPath, readerSocketPath]);
    addRoutes(scope, options, { ...by, upgradeOf });
    inspectorRoutes(scope, options, requireScope(by), upgradeOf);
  });
  return app;
}

/** Groups by what a caller has to prove: nothing, a key, a session, a connected session. */
function addRoutes(
  app: App,
  deps: AppDeps,
  { upgradeOf, ...by }: { identify: IdentifyCaller; refuse: Refuse; upgradeOf: UpgradeOf },
): void {
  const streaming = { ...deps, streams: new EventStreams(app, deps.clock, credentialEnd(deps)) };
  const sending = { ...deps, bodies: new LargeBodies() };
  mediaRoutes(app, deps);
  void app.register(async (customer: App) => customerRoutes(customer, deps, by.refuse));
  void app.register(async (operator: App) => {
    operator.addHook('onRequest', forbidStoring);
    operator.addHook('onRequest', requireScope(by));
    creationRoute(operator, deps);
    keyRoutes(operator, deps);
    linkRoutes(operator, deps);
    operatorWebhookRoutes(operator, deps);
    await operator.register(async (read: App) => operatorReadRoutes(read, streaming));
    await operator.register(async (control: App) => {
      scopeOfGroup(control, 'sessions:control');
      control.addHook('onRequest', nameSessionByPath(deps));
      answerDeletions(control, deps);
      control.addHook('preHandler', requireActive(deps));
      operatorChangeRoute(control, deps);
      sessionControlRoutes(control, deps);
    });
  });
  void app.register(async (owner: App) => {
    owner.addHook('onRequest', forbidStoring);
    scopeOfGroup(owner, 'raw');
    owner.addHook('onRequest', requireScope(by));
    owner.addHook('onRequest', nameSession(deps));
    answerDeletions(owner, deps);
    owner.addHook('preHandler', requireActive(deps));
    owner.addHook('preHandler', requireConnected(deps));
    telegramRoutes(owner, deps);
  });
  void app.register(async (login: App) => {
    scopeOfGroup(login, 'strings');
    login.addHook('onRequest', forbidStoring);
    login.addHook('onRequest', requireSecret);
    login.addHook('onRequest', authenticateSession({ ...deps, ...by }));
    login.addHook('onRequest', requireScope(by));
    login.addHook('onRequest', requireSight);
    answerDeletions(login, deps);
    login.addHook('preHandler', requireActive(deps));
    stringRoute(login, deps);
  });
  void app.register(async (session: App) => {
    scopeOfGroup(session, 'accounts');
    session.addHook('onRequest', forbidStoring);
    session.addHook('onRequest', authenticateSession({ ...deps, ...by }));
    answerDeletions(session, deps);
    session.addHook('preHandler', requireActive(deps));
    sessionRoutes(session, deps);
    changeRoutes(session, deps);
    webhookRoutes(session, deps);
    auditRoutes(session, streaming);
    readerRoutes(session, streaming, upgradeOf);
    await session.register(async (uploads: App) => fileRoutes(uploads, deps));
    await session.register(async (connected: App) => {
      connected.addHook('preHandler', requireConnected(deps));
      messageRoutes(connected, sending);
      messageActionRoutes(connected, deps);
      scheduledRoutes(connected, deps);
      typingRoutes(connected, deps);
      statusRoutes(connected, sending);
      chatRoutes(connected, deps);
      chatSettingRoutes(connected, deps);
      groupRoutes(connected, deps);
      channelRoutes(connected, deps);
      administrationRoutes(connected, sending);
      contactRoutes(connected, deps);
      userRoutes(connected, deps);
      accountRoutes(connected, sending);
    });
  });
}

/** Whatever ends with the session ends because of its deletion (SE3). */
function answerDeletions(scope: App, { sessions }: Pick<AppDeps, 'sessions'>): void {
  scope.setErrorHandler((error, request, reply) => {
    const view = request.view as typeof request.view | undefined;
    return sendError(view !== undefined && sessions.isDeleted(view.id) ? sessionNotFound() : error, request, reply);
  });
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
