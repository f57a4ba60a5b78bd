import type { AuthenticationHook } from '../access/refusal.ts';
import { scopeOfGroup } from '../access/route-scopes.ts';
import { operatorAuditRoutes } from '../audit/routes.ts';
import { nodesRoute } from '../nodes/routes.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import type { EventStreams } from '../shared/event-stream.ts';
import { revalidated } from '../shared/revalidated.ts';
import { usageRoutes } from '../usage/routes.ts';
import { connectionRoute } from './connection-routes.ts';
import { sessionListRoutes } from './session-list-routes.ts';
import { sessionStreamRoute } from './session-stream-route.ts';
import { statsRoute } from './stats-route.ts';

/** What an operator reads, with a key of the scope `sessions:read`. */
export function operatorReadRoutes(
  app: App,
  deps: AppDeps & { streams: EventStreams },
  passToOwner: AuthenticationHook,
): void {
  scopeOfGroup(app, 'sessions:read');
  revalidated(app);
  sessionListRoutes(app, deps);
  statsRoute(app, deps);
  connectionRoute(app, deps, passToOwner);
  sessionStreamRoute(app, deps);
  operatorAuditRoutes(app, deps);
  usageRoutes(app, deps);
  nodesRoute(app, deps);
}
