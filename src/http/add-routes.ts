import { sessionNotFound } from '../errors/gateway-error.ts';
import {
  authenticateSession,
  forbidStoring,
  requireActive,
  requireConnected,
  requireSecret,
} from './access/authenticate-session.ts';
import { credentialEnd } from './access/credential-end.ts';
import type { IdentifyCaller } from './access/identify-caller.ts';
import { createLookUp, lookUpUnknown } from './access/look-up-session.ts';
import type { Refuse } from './access/refusal.ts';
import { nameSession, nameSessionByPath, requireScope, requireSight } from './access/require-scope.ts';
import { scopeOfGroup } from './access/route-scopes.ts';
import { accountRoutes } from './account/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { channelRoutes } from './channel/routes.ts';
import { chatRoutes } from './chat/routes.ts';
import { chatSettingRoutes } from './chat/setting-routes.ts';
import { contactRoutes } from './contact/routes.ts';
import { fileRoutes } from './file/routes.ts';
import { groupRoutes } from './group/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { customerRoutes } from './link/customer-routes.ts';
import { linkRoutes } from './link/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { messageActionRoutes } from './message/action-routes.ts';
import { messageRoutes } from './message/routes.ts';
import { scheduledRoutes } from './message/scheduled-routes.ts';
import { nodeRoutes } from './nodes/node-routes.ts';
import { answersAll, type OwnerRouting, passToOwner } from './nodes/pass-to-owner.ts';
import { operatorReadRoutes } from './operator/read-routes.ts';
import { sessionControlRoutes } from './operator/session-control-routes.ts';
import { operatorWebhookRoutes } from './operator-webhook/routes.ts';
import { readerRoutes } from './reader/routes.ts';
import { changeRoutes, operatorChangeRoute } from './session/change-routes.ts';
import { creationRoute, sessionRoutes } from './session/routes.ts';
import { stringRoute } from './session/string-route.ts';
import type { App, AppDeps } from './shared/app-types.ts';
import { EventStreams } from './shared/event-stream.ts';
import { LargeBodies } from './shared/limits/large-bodies.ts';
import { statusRoutes } from './status/routes.ts';
import { telegramRoutes } from './telegram/routes.ts';
import { typingRoutes } from './typing/routes.ts';
import { userRoutes } from './user/routes.ts';
import { webhookRoutes } from './webhook/routes.ts';
import type { UpgradeOf } from './websocket/upgrade.ts';

export interface RouteGuards {
  identify: IdentifyCaller;
  refuse: Refuse;
  upgradeOf: UpgradeOf;
  /** The gateway ends. */
  isClosing: () => boolean;
}

/** Groups by what a caller has to prove: nothing, a key, a session, a connected session. */
export function addRoutes(app: App, deps: AppDeps, { upgradeOf, isClosing, ...by }: RouteGuards): void {
  const lookUp = createLookUp(deps);
  const { hops, cluster } = deps;
  const { passTo, answerError } = hops === undefined ? answersAll : passToOwner(app, { ...hops, upgradeOf, isClosing });
  app.setErrorHandler(answerError);
  const answerDeletions = (scope: App): void => deletionsIn(scope, deps, answerError);
  const passSession = passTo(({ view }) => view.id);
  const streaming = { ...deps, streams: new EventStreams(app, deps.clock, credentialEnd(deps)) };
  const sending = { ...deps, bodies: new LargeBodies() };
  mediaRoutes(app, deps, passTo);
  if (cluster !== undefined)
    void app.register(async (nodes: App) => nodeRoutes(nodes, { ...deps, cluster }, upgradeOf));
  void app.register(async (customer: App) => customerRoutes(customer, deps, by.refuse, passTo));
  void app.register(async (operator: App) => {
    operator.addHook('onRequest', forbidStoring);
    operator.addHook('onRequest', requireScope(by));
    creationRoute(operator, deps, passTo);
    keyRoutes(operator, deps);
    linkRoutes(operator, deps);
    operatorWebhookRoutes(operator, deps, passTo);
    await operator.register(async (read: App) => {
      read.addHook('onRequest', lookUpUnknown(deps, lookUp, idInPath));
      operatorReadRoutes(read, streaming, passTo(idInPath));
    });
    await operator.register(async (control: App) => {
      scopeOfGroup(control, 'sessions:control');
      control.addHook('onRequest', lookUpUnknown(deps, lookUp, idInPath));
      control.addHook('onRequest', nameSessionByPath(deps));
      control.addHook('onRequest', passSession);
      answerDeletions(control);
      control.addHook('preHandler', requireActive(deps));
      operatorChangeRoute(control, deps);
      sessionControlRoutes(control, deps);
    });
  });
  void app.register(async (owner: App) => {
    owner.addHook('onRequest', forbidStoring);
    scopeOfGroup(owner, 'raw');
    owner.addHook('onRequest', requireScope(by));
    owner.addHook(
      'onRequest',
      lookUpUnknown(deps, lookUp, ({ headers }) => headers['id']),
    );
    owner.addHook('onRequest', nameSession(deps));
    owner.addHook('onRequest', passSession);
    answerDeletions(owner);
    owner.addHook('preHandler', requireActive(deps));
    owner.addHook('preHandler', requireConnected(deps));
    telegramRoutes(owner, deps);
  });
  void app.register(async (login: App) => {
    scopeOfGroup(login, 'strings');
    login.addHook('onRequest', forbidStoring);
    login.addHook('onRequest', requireSecret);
    login.addHook('onRequest', authenticateSession({ ...deps, ...by, lookUp }));
    login.addHook('onRequest', requireScope(by));
    login.addHook('onRequest', requireSight);
    login.addHook('onRequest', passSession);
    answerDeletions(login);
    login.addHook('preHandler', requireActive(deps));
    stringRoute(login, deps);
  });
  void app.register(async (session: App) => {
    scopeOfGroup(session, 'accounts');
    session.addHook('onRequest', forbidStoring);
    session.addHook('onRequest', authenticateSession({ ...deps, ...by, lookUp }));
    session.addHook('onRequest', passSession);
    answerDeletions(session);
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

const idInPath = ({ params }: { params: unknown }): string | undefined => (params as { id?: string }).id;

/** Whatever ends with the session ends because of its deletion (SE3). */
function deletionsIn(
  scope: App,
  { sessions }: Pick<AppDeps, 'sessions'>,
  answerError: OwnerRouting['answerError'],
): void {
  scope.setErrorHandler((error, request, reply) => {
    const view = request.view as typeof request.view | undefined;
    return answerError(view !== undefined && sessions.isDeleted(view.id) ? sessionNotFound() : error, request, reply);
  });
}
