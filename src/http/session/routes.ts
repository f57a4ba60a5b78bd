import type { LoginRequest } from '../../../actors/ports/telegram-session.ts';
import type { SessionNames, SessionSettings } from '../../../actors/session/session-settings.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import { NotConnectedError } from '../../telegram/port/errors.ts';
import { originOf } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { sendError } from '../shared/error-responses.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { CodeBody, type CreatedSession, CreationBody, PasswordBody, PhoneBody, SettingsBody } from './schemas.ts';
import { iso, sessionObject } from './session-object.ts';
import { SessionResponses } from './session-responses.ts';
import { webhookFrom } from './session-webhook.ts';

/** Seconds after which Telegram may be within reach again. */
const retrySeconds = 5;
const outOfReach = (cause: unknown): GatewayError =>
  new GatewayError(503, 'telegram is out of reach', retrySeconds, { cause });

const jsonType = 'application/json; charset=utf-8';

type Deps = Pick<AppDeps, 'sessions' | 'sealer' | 'views' | 'clock' | 'accounts' | 'isStoreAway'>;

/** `POST /session` (SE1): the one route of a session that needs no session. */
export function creationRoute(app: App, deps: Deps): void {
  const options = { schema: { body: CreationBody }, config: { scope: 'sessions:create' } } as const;
  app.post('/session', options, async (request) => {
    const { body, caller } = request;
    const login = loginFrom(body);
    const { tenant } = caller.powers;
    const settings = { ...settingsFrom(body), ...namesFrom(body), ...(tenant !== undefined && { tenant }) };
    const creation = deps.sessions.create(settings, originOf(request), login);
    const { id, sessionId, position } = await (login === undefined ? creation : atTelegram(creation));
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

  app.post('/session/login', { schema: { body: PhoneBody } }, async ({ view: { id }, body }) => {
    const { outcome, position } = await atTelegram(sessions.sendCode(id, digitsOf(body.phone)));
    if (outcome === 'not-possible') throw new GatewayError(400, 'session does not wait for a login');
    if (outcome === 'used-up') throw new GatewayError(400, 'no more codes can be asked for');
    const view = await readYourWrites(deps, id, position);
    return { id, isConnected: view?.state === 'connected', codeSentTo: view?.codeSentTo ?? '' };
  });

  app.post('/session/code', { schema: { body: CodeBody } }, async (request, reply) => {
    const { body } = request;
    const { id } = request.view;
    const { outcome, position } = await atTelegram(sessions.submitCode(id, body.code.trim(), originOf(request)));
    if (outcome === 'not-required') throw new GatewayError(400, 'code is not required');
    const view = await readYourWrites(deps, id, position);
    if (outcome === 'rejected') throw new GatewayError(400, 'invalid code');
    if (outcome === 'renewed') throw codeExpired();
    // The session is deleted: the response to an error would not say why.
    if (outcome === 'used-up') return sendError(codeExpired(), request, reply);
    return { id, isConnected: view?.state === 'connected', isPasswordRequired: view?.state === 'passwordRequired' };
  });

  app.post('/session/password', { schema: { body: PasswordBody } }, async (request) => {
    const { id } = request.view;
    const { outcome, position } = await sessions.submitPassword(id, request.body.password, originOf(request));
    if (outcome === 'not-required') throw new GatewayError(400, 'password is not required');
    await readYourWrites(deps, id, position);
    if (outcome === 'rejected') throw new GatewayError(400, 'invalid password');
    return { id };
  });

  app.post('/session/reset', { schema: { body: SettingsBody } }, async (request) => {
    const { id } = request.view;
    const { position } = await sessions.reset(id, settingsFrom(request.body), originOf(request));
    return createdResponse(deps, id, request.sessionId, position);
  });

  app.delete('/session', async (request) => {
    const { id } = request.view;
    const { position } = await sessions.delete(id, originOf(request));
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

/** A login whose caller waits for it. @throws {GatewayError} 503 if Telegram is out of reach */
async function atTelegram<T>(login: Promise<T>): Promise<T> {
  try {
    return await login;
  } catch (error) {
    if (error instanceof NotConnectedError) throw outOfReach(error);
    throw error;
  }
}

const codeExpired = (): GatewayError => new GatewayError(400, 'code expired');

const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

function loginFrom({ login }: CreationBody): LoginRequest | undefined {
  if (login?.phone) return { phone: digitsOf(login.phone) };
  if (login?.botToken) return { botToken: login.botToken };
  return login?.string ? { string: login.string } : undefined;
}

const namesFrom = ({ externalId, label }: CreationBody): SessionNames => ({
  ...(externalId === undefined ? {} : { externalId }),
  ...(label === undefined ? {} : { label }),
});

function settingsFrom({ name, metadata, webhook }: SettingsBody): SessionSettings {
  return {
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(webhook === undefined ? {} : { webhook: webhookFrom(webhook) }),
  };
}
