import type { SessionView } from '../../../projections/session-view.ts';
import { sessionNotFound } from '../../errors/gateway-error.ts';
import { maySee } from '../access/caller.ts';
import type { AuthenticationHook } from '../access/refusal.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import type { SessionConnection } from './schemas.ts';

type Deps = Pick<AppDeps, 'views' | 'connections'>;

/** `GET /sessions/{id}/connection`, inside the authentication of `sessions:read`. */
export function connectionRoute(app: App, deps: Deps, passToOwner: AuthenticationHook): void {
  app.get('/sessions/:id/connection', { onRequest: passToOwner }, ({ params, caller }): SessionConnection => {
    const view = deps.views.get((params as { id: string }).id);
    if (view === undefined || !maySee(caller, view)) throw sessionNotFound();
    return connectionOf(view, deps);
  });
}

/** `POST /sessions/{id}/connection`, inside the authentication of `sessions:control`. Like a request that waits, it is no fact. */
export function connectNowRoute(app: App, deps: Deps): void {
  app.post('/sessions/:id/connection', ({ view }): SessionConnection => {
    if (view.state === 'disconnected') deps.connections.reconnect(view.id);
    return connectionOf(view, deps);
  });
}

function connectionOf({ id, state }: SessionView, { connections }: Deps): SessionConnection {
  const { attempts = 0, reason = '', nextAt } = (state === 'disconnected' && connections.reconnecting(id)) || {};
  return { id, state, attempts, cause: reason, nextAttempt: iso(nextAt) };
}
