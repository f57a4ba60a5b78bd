import type { LoginRequest } from '../../../actors/ports/telegram-session.ts';
import { externalKey } from '../../../actors/session/external-key.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { sessionNotFound } from '../../errors/gateway-error.ts';
import { type Caller, originOf, ownersOf } from '../access/caller.ts';
import type { PassToOwner } from '../nodes/pass-to-owner.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { sendError } from '../shared/error-responses.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { atTelegram, codeExpired, digitsOf, loginDialogue } from './login-dialogue.ts';
import { proxyRoute } from './proxy-route.ts';
import { CodeBody, type CreatedSession, CreationBody, PasswordBody, PhoneBody, SettingsBody } from './schemas.ts';
import { iso, sessionObject } from './session-object.ts';
import { SessionResponses } from './session-responses.ts';
import { settingsFrom, settingsOfCreation } from './settings-from.ts';

const jsonType = 'application/json; charset=utf-8';

type Deps = Pick<AppDeps, 'sessions' | 'sealer' | 'views' | 'clock' | 'accounts' | 'isStoreAway'>;

/** `POST /session` (SE1): the one route of a session that needs no session. */
export function creationRoute(
  app: App,
  deps: Deps & Pick<AppDeps, 'sessionLimits' | 'hops'>,
  passTo: PassToOwner,
): void {
  const isHere = (key: string): boolean => deps.hops === undefined || deps.hops.forwarder.isHere(key);
  const preHandler = passTo(({ id, caller, body }) =>
    creationKey((body as CreationBody | null)?.externalId, caller, id, isHere),
  );
  const options = { schema: { body: CreationBody }, config: { scope: 'sessions:create' }, preHandler } as const;
  app.post('/session', options, async (request) => {
    const { body, caller, underWay } = request;
    const login = loginFrom(body);
    const settings = { ...settingsOfCreation(body), ...ownersOf(caller) };
    const creation = deps.sessionLimits.during(caller.keyId, () =>
      deps.sessions.create(settings, originOf(request), login, body.proxy?.url || undefined, underWay?.subject),
    );
    const { id, sessionId, position } = await (login === undefined ? creation : atTelegram(creation));
    return createdResponse(deps, id, sessionId, position);
  });
}

/** Texts that are tried: nearly surely one of them is in a partition of a node that has any. */
const maxTries = 256;

/**
 * In whose partition a session is created, by the partition's owner: its external ID; without one, a text of this node, if
 * that has any partition, or else of another one.
 */
function creationKey(
  externalId: string | undefined,
  { powers: { tenant } }: Caller,
  reqId: string,
  isHere: (key: string) => boolean,
): string {
  if (externalId) return externalKey(externalId, tenant);
  for (let number = 0; number < maxTries; number += 1) {
    const text = `${reqId} ${number}`;
    if (isHere(text)) return text;
  }
  return reqId;
}

/** The routes of one session, inside its authentication; the session's actor is active. */
export function sessionRoutes(app: App, deps: Deps): void {
  proxyRoute(app, deps);
  const { sessions } = deps;
  const responses = new SessionResponses(deps);
  const dialogue = loginDialogue(deps);

  app.get('/session', { config: { isNeverRefused: true, answeredBy: 'any' } }, (request, reply) => {
    const json = responses.json(asItIs(deps, request.view), request.sessionId);
    reply.header('content-type', jsonType);
    if (json instanceof Promise) return json;
    return reply.send(json);
  });

  app.post('/session/login', { schema: { body: PhoneBody } }, async ({ view: { id }, body }) => {
    const view = await dialogue.sendCode(id, body.phone);
    return { id, isConnected: view?.state === 'connected', codeSentTo: view?.codeSentTo ?? '' };
  });

  app.post('/session/code', { schema: { body: CodeBody } }, async (request, reply) => {
    const { id } = request.view;
    const { isUsedUp, view } = await dialogue.submitCode(id, request.body.code, originOf(request));
    // The session is deleted: the response to an error would not say why.
    if (isUsedUp) return sendError(codeExpired(), request, reply);
    return { id, isConnected: view?.state === 'connected', isPasswordRequired: view?.state === 'passwordRequired' };
  });

  app.post('/session/password', { schema: { body: PasswordBody } }, async (request) => {
    const { id } = request.view;
    await dialogue.submitPassword(id, request.body.password, originOf(request));
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

function loginFrom({ login }: CreationBody): LoginRequest | undefined {
  if (login?.phone) return { phone: digitsOf(login.phone) };
  if (login?.botToken) return { botToken: login.botToken };
  return login?.string ? { string: login.string } : undefined;
}
