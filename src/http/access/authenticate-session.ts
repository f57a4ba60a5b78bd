import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionView } from '../../../projections/session-view.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { clientLeft, sessionNotActive, sessionNotConnected, sessionNotFound } from '../../errors/gateway-error.ts';
import { withOwnMemory } from '../../memory/own-memory.ts';
import type { AppDeps } from '../shared/app-types.ts';
import { awaitTakeover } from './await-takeover.ts';
import { maySee, ownerByPlace, sessionHolder } from './caller.ts';
import { refusalOfChats } from './chat-bound.ts';
import { apiKeyOf, type IdentifyCaller, sha256 } from './identify-caller.ts';
import { liveView } from './live-view.ts';
import type { LookUpSession } from './look-up-session.ts';
import {
  type AuthenticationHook,
  type Done,
  invalidHeader,
  invalidKey,
  type Refuse,
  scopeRequired,
} from './refusal.ts';

/** Compared if the session does not exist, so that an unknown ID costs the same as a wrong secret (AU3). */
const unknownSession: Pick<SessionView, 'secretHash'> = { secretHash: Buffer.alloc(32).toString('hex') };

/** The secret that was correct for a view, so that polling does not hash it each time. It lives as long as the view. */
const proven = new WeakMap<object, Buffer>();

function proves(secret: string, view: Pick<SessionView, 'secretHash'>): boolean {
  const given = Buffer.from(secret);
  const known = proven.get(view);
  if (known !== undefined && known.length === given.length && timingSafeEqual(given, known)) return true;
  const isRight = timingSafeEqual(sha256(secret), Buffer.from(view.secretHash, 'hex'));
  if (isRight) proven.set(view, withOwnMemory(given));
  return isRight;
}

interface AuthenticationDeps extends Pick<AppDeps, 'sessions' | 'views'> {
  identify: IdentifyCaller;
  refuse: Refuse;
  lookUp: LookUpSession | undefined;
}

/**
 * The first two checks of AU2 as an `onRequest` hook: headers present and correct. It runs before the body is read, and
 * stores the session's view on the request. Without a `session-id`, a key with the scope `accounts` is enough (KY1).
 */
export function authenticateSession({
  sessions,
  views,
  identify,
  refuse,
  lookUp,
}: AuthenticationDeps): AuthenticationHook {
  const bySecret = (request: FastifyRequest, id: string, secret: string, done: Done, mayLookUp = true): void => {
    const view = liveView({ sessions, views }, id);
    if (!proves(secret, view ?? unknownSession) || view === undefined) {
      // Known or not: the one takes as long as the other.
      if (lookUp !== undefined && mayLookUp) {
        const look = async (): Promise<void> => {
          const failure = await lookUp(id);
          if (failure === undefined) bySecret(request, id, secret, done, false);
          else if (views.get(id) === undefined) done(failure);
          // The secret may be wrong, or newer than the view.
          else refuse(request, failure, done);
        };
        void look();
        return;
      }
      // A deleted session has no secret to guess, and its owner may still be polling it.
      if (view === undefined && views.get(id) !== undefined) done(sessionNotFound());
      else refuse(request, sessionNotFound(), done);
      return;
    }
    request.caller = sessionHolder;
    request.view = view;
    request.sessionId = secret;
    done();
  };
  const byKey = (request: FastifyRequest, id: string, done: Done): void => {
    const caller = identify(request, 'accounts');
    if (caller === undefined) return refuse(request, invalidKey(), done);
    // Who proves nothing has to have the secret.
    if (caller === ownerByPlace) return done(invalidHeader());
    if (!caller.powers.scopes.includes('accounts')) return done(scopeRequired('accounts'));
    const refusal = refusalOfChats(caller, request);
    if (refusal !== undefined) return done(refusal);
    const find = (): void => {
      const view = liveView({ sessions, views }, id);
      if (view === undefined || !maySee(caller, view)) return done(sessionNotFound());
      request.caller = caller;
      request.view = view;
      done();
    };
    if (lookUp === undefined || views.get(id) !== undefined) find();
    else {
      const look = async (): Promise<void> => {
        const failure = await lookUp(id);
        if (failure === undefined) find();
        else done(failure);
      };
      void look();
    }
  };
  return (request, _reply, done) => {
    const { id, 'session-id': secret } = request.headers;
    if (typeof id !== 'string' || id === '') done(invalidHeader());
    else if (typeof secret === 'string' && secret !== '') bySecret(request, id, secret, done);
    else if (apiKeyOf(request) === '') done(invalidHeader());
    else byKey(request, id, done);
  };
}

/** Before {@link authenticateSession}, on routes where no key stands for the secret. */
export function requireSecret(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  done(
    request.headers['session-id'] === undefined || request.headers['session-id'] === '' ? invalidHeader() : undefined,
  );
}

/** After validation (AU2): the session's actor runs here. */
export function requireActive({ sessions, cluster }: Pick<AppDeps, 'sessions' | 'cluster'>): AuthenticationHook {
  return (request, _reply, done) => {
    const state = sessions.state(request.view.id);
    // Another node has it, or will in a moment; what this one answers comes from its views.
    if (state === 'loading' && cluster !== undefined && request.routeOptions.config.answeredBy === 'any') done();
    else if (state === 'loading' || state === 'held') done(sessionNotActive());
    // Deleted a moment ago; the view follows.
    else done(state === undefined ? sessionNotFound() : undefined);
  };
}

const isHere = (cluster: Pick<Cluster, 'placeOf'>, id: string): boolean => cluster.placeOf(id).kind === 'here';

/** After that: the session is connected. One that another node had a moment ago is waited for (CL5.24). */
export function requireConnected(deps: Pick<AppDeps, 'sessions' | 'views' | 'clock' | 'cluster'>): AuthenticationHook {
  const { sessions, cluster } = deps;
  return (request, reply, done) => {
    const { id } = request.view;
    const answer = (): void => {
      // Nothing is done for a caller who has left meanwhile (CL5.22).
      if (reply.raw.destroyed) done(clientLeft());
      else if (sessions.state(id) === 'connected') done();
      // It leaves this node, or has left it: the next owner answers.
      else done(cluster === undefined || isHere(cluster, id) ? sessionNotConnected() : sessionNotActive());
    };
    if (cluster === undefined || sessions.state(id) === 'connected') answer();
    else void awaitTakeover(deps, id).then(answer);
  };
}

/** AU6: responses with a QR code, a token or personal data are in no cache. */
export function forbidStoring(_request: FastifyRequest, reply: FastifyReply, done: Done): void {
  reply.header('cache-control', 'no-store');
  done();
}
