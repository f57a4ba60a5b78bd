import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError, sessionNotActive, sessionNotConnected, sessionNotFound } from '../../errors/gateway-error.ts';
import type { App, AppDeps } from './app-types.ts';
import { liveView } from './live-view.ts';

type Done = (error?: Error) => void;
/** Counts a wrong credential for its address, and refuses with this error, or with 429. */
export type Refuse = (request: FastifyRequest, error: GatewayError, done: Done) => void;

/**
 * Wrong credentials that an address may send in the window: enough for a client that lost its session, too few for
 * guessing.
 */
const maxFailures = 60;
const failureWindowMs = 60_000;

/** Compared if the session does not exist, so that an unknown ID costs the same as a wrong secret (AU3). */
const unknownSession: Pick<SessionView, 'secretHash'> = { secretHash: Buffer.alloc(32).toString('hex') };

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The secret that was correct for a view, so that polling does not hash it each time. */
const proven = new WeakMap<object, Buffer>();

function proves(secret: string, view: Pick<SessionView, 'secretHash'>): boolean {
  const given = Buffer.from(secret);
  const known = proven.get(view);
  if (known !== undefined && known.length === given.length && timingSafeEqual(given, known)) return true;
  const isRight = timingSafeEqual(sha256(secret), Buffer.from(view.secretHash, 'hex'));
  if (isRight) proven.set(view, given);
  return isRight;
}

/** One count for the whole app. Callers with correct credentials are never limited (AU3). */
export function createRefusal(app: App): Refuse {
  const count = app.createRateLimit({ max: maxFailures, timeWindow: failureWindowMs });
  const refuse = async (request: FastifyRequest, error: GatewayError, done: Done): Promise<void> => {
    const limit = await count(request);
    const isTooMany = !limit.isAllowed && limit.isExceeded;
    done(isTooMany ? new GatewayError(429, 'too many requests', Math.max(1, limit.ttlInSeconds)) : error);
  };
  return (request, error, done) => void refuse(request, error, done);
}

/**
 * The first two checks of AU2 as an `onRequest` hook: headers present and correct. It runs before the body is read, and
 * stores the session's view on the request.
 */
export function authenticateSession(deps: Pick<AppDeps, 'sessions' | 'views'>, refuse: Refuse) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const { id, 'session-id': sessionId } = request.headers;
    if (typeof id !== 'string' || typeof sessionId !== 'string' || id === '' || sessionId === '') {
      done(new GatewayError(400, 'invalid header'));
      return;
    }
    const view = liveView(deps, id);
    if (!proves(sessionId, view ?? unknownSession) || view === undefined) {
      // A deleted session has no secret to guess, and its owner may still be polling it.
      if (view === undefined && deps.views.get(id) !== undefined) done(sessionNotFound());
      else refuse(request, sessionNotFound(), done);
      return;
    }
    request.view = view;
    request.sessionId = sessionId;
    done();
  };
}

/** After validation (AU2): the session's actor runs here. */
export function requireActive({ sessions }: Pick<AppDeps, 'sessions'>) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const state = sessions.state(request.view.id);
    if (state === 'loading' || state === 'held') done(sessionNotActive());
    // Deleted a moment ago; the view follows.
    else done(state === undefined ? sessionNotFound() : undefined);
  };
}

/** After that: the session is connected. */
export function requireConnected({ sessions }: Pick<AppDeps, 'sessions'>) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    done(sessions.state(request.view.id) === 'connected' ? undefined : sessionNotConnected());
  };
}

/**
 * AU4: one of the keys, if any is configured. Without one, only this machine can reach the gateway.
 * @param keys the API key, and others that are enough for these routes
 */
export function requireApiKey(keys: readonly (string | undefined)[], refuse: Refuse) {
  const expected = keys.filter((key) => key !== undefined).map(sha256);
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const given = expected.length === 0 ? undefined : sha256(apiKeyOf(request));
    if (given === undefined || expected.some((key) => timingSafeEqual(given, key))) {
      done();
      return;
    }
    refuse(request, new GatewayError(401, 'invalid api key'), done);
  };
}

/** The key as it was sent: `x-api-key: KEY`, or `Authorization: Bearer KEY` (RFC 6750); empty without one. */
function apiKeyOf({ headers: { 'x-api-key': key, authorization = '' } }: FastifyRequest): string {
  if (typeof key === 'string') return key;
  return /^Bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
}

/**
 * After {@link requireApiKey}: the owner of the service names a session with its `id`. A session's own secret is no
 * permission to what the owner alone may do (RM1).
 */
export function nameSession(deps: Pick<AppDeps, 'sessions' | 'views'>) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const { id, 'session-id': sessionId } = request.headers;
    if (sessionId !== undefined) {
      done(new GatewayError(403, 'session-id is not accepted here'));
      return;
    }
    if (typeof id !== 'string' || id === '') {
      done(new GatewayError(400, 'invalid header'));
      return;
    }
    const view = liveView(deps, id);
    if (view !== undefined) request.view = view;
    done(view === undefined ? sessionNotFound() : undefined);
  };
}

/** AU6: responses with a QR code, a token or personal data are in no cache. */
export function forbidStoring(_request: FastifyRequest, reply: FastifyReply, done: Done): void {
  reply.header('cache-control', 'no-store');
  done();
}
