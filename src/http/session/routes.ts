import type { SessionSettings } from '../../../actors/session/session-settings.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { type CreatedSession, PasswordBody, SettingsBody } from './schemas.ts';
import { iso, sessionObject } from './session-object.ts';
import { SessionResponses } from './session-responses.ts';
import { webhookFrom } from './session-webhook.ts';

const jsonType = 'application/json; charset=utf-8';

type Deps = Pick<AppDeps, 'sessions' | 'sealer' | 'views' | 'clock' | 'accounts' | 'isStoreAway'>;

/** `POST /session` (SE1): the one route of a session that needs no session. */
export function creationRoute(app: App, deps: Deps): void {
  app.post('/session', { schema: { body: SettingsBody } }, async ({ id: reqId, body }) => {
    const { id, sessionId, position } = await deps.sessions.create(settingsFrom(body), reqId);
    return createdResponse(deps, id, sessionId, position);
  });
}

/** The routes of one session, inside its authentication; the session's actor is active. */
export function sessionRoutes(app: App, deps: Deps): void {
  const { sessions } = deps;
  const responses = new SessionResponses(deps);

  app.get('/session', { config: { isNeverRefused: true } }, (request, reply) => {
    const json = responses.json(asItIs(deps, request.view), request.sessionId);
    reply.header('content-type', jsonType);
    if (json instanceof Promise) return json;
    return reply.send(json);
  });

  app.post('/session/password', { schema: { body: PasswordBody } }, async ({ view: { id }, body }) => {
    const { outcome, position } = await sessions.submitPassword(id, body.password);
    if (outcome === 'not-required') throw new GatewayError(400, 'password is not required');
    await readYourWrites(deps, id, position);
    if (outcome === 'rejected') throw new GatewayError(400, 'invalid password');
    return { id };
  });

  app.post('/session/reset', { schema: { body: SettingsBody } }, async (request) => {
    const { id } = request.view;
    const { position } = await sessions.reset(id, settingsFrom(request.body), request.id);
    return createdResponse(deps, id, request.sessionId, position);
  });

  app.delete('/session', async ({ id: reqId, view: { id } }) => {
    const { position } = await sessions.delete(id, reqId);
    await readYourWrites(deps, id, position);
    return { id };
  });
}

/** While the store is away, the view cannot show that a connection was lost: the session's account tells it (FA2.3). */
function asItIs({ accounts, isStoreAway }: Deps, view: SessionView): SessionView {
  const isCutOff = view.state === 'connected' && isStoreAway() && accounts.get(view.id) === undefined;
  return isCutOff ? { ...view, state: 'disconnected' } : view;
}

/** The response of SE1: the whole Session object, when it was created, and the deadline of its state. */
async function createdResponse(deps: Deps, id: string, sessionId: string, position: bigint): Promise<CreatedSession> {
  const view = await readYourWrites(deps, id, position);
  if (view === undefined) throw sessionNotFound();
  const shown = { view, picture: deps.views.picture(id) };
  const { id: own, generatedId, name, username, phone, ...rest } = await sessionObject(shown, deps.sealer);
  const session = { id: own, generatedId, name, username, phone, sessionId, ...rest };
  return { ...session, created: iso(view.created), expires: iso(view.deadline) };
}

function settingsFrom({ name, metadata, webhook }: SettingsBody): SessionSettings {
  return {
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(webhook === undefined ? {} : { webhook: webhookFrom(webhook) }),
  };
}
