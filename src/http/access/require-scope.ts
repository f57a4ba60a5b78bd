import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import type { KeyScope } from '../../keys/scopes.ts';
import type { AppDeps } from '../shared/app-types.ts';
import { maySee } from './caller.ts';
import { refusalOfChats } from './chat-bound.ts';
import type { IdentifyCaller } from './identify-caller.ts';
import { liveView } from './live-view.ts';
import {
  type AuthenticationHook,
  type Done,
  invalidHeader,
  invalidKey,
  type Refuse,
  scopeRequired,
} from './refusal.ts';

/**
 * AU4, KY1: a key that has the scope of the route. Without an `API_KEY`, only this machine can reach the gateway, and every
 * caller is its owner.
 * @param of what the route needs, if it is not what the route declares
 */
export function requireScope(
  { identify, refuse }: { identify: IdentifyCaller; refuse: Refuse },
  of?: KeyScope,
): AuthenticationHook {
  return (request, _reply, done) => {
    const scope = of ?? request.routeOptions.config.scope;
    if (scope === undefined || scope === 'anyone') throw new Error(`${request.url} declares no scope of keys`);
    const caller = identify(request, scope);
    if (caller === undefined) return refuse(request, invalidKey(), done);
    request.caller = caller;
    const { alsoScope = scope } = request.routeOptions.config;
    const missing = [scope, alsoScope].find((one) => !caller.powers.scopes.includes(one));
    done(missing === undefined ? refusalOfChats(caller, request) : scopeRequired(missing));
  };
}

/** After {@link requireScope}, with a session that was found before: it is one of the caller's tenant. */
export function requireSight(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  done(maySee(request.caller, request.view) ? undefined : sessionNotFound());
}

/** After {@link requireScope}: the path names a live session, as `:id`. */
export function nameSessionByPath(deps: Pick<AppDeps, 'sessions' | 'views'>): AuthenticationHook {
  return (request, _reply, done) => {
    const view = liveView(deps, (request.params as { id: string }).id);
    const isSeen = view !== undefined && maySee(request.caller, view);
    if (isSeen) request.view = view;
    done(isSeen ? undefined : sessionNotFound());
  };
}

/**
 * After {@link requireScope}: the caller names a session with its `id`. A session's own secret is no permission to what
 * such a key alone may do (RM1).
 */
export function nameSession(deps: Pick<AppDeps, 'sessions' | 'views'>): AuthenticationHook {
  return (request, _reply, done) => {
    const { id, 'session-id': sessionId } = request.headers;
    if (sessionId !== undefined) {
      done(new GatewayError(403, 'session-id is not accepted here'));
      return;
    }
    if (typeof id !== 'string' || id === '') {
      done(invalidHeader());
      return;
    }
    const view = liveView(deps, id);
    const isSeen = view !== undefined && maySee(request.caller, view);
    if (isSeen) request.view = view;
    done(isSeen ? undefined : sessionNotFound());
  };
}
