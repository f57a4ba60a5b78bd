import type { SessionView } from '../../../projections/session-view.ts';
import { sessionNotFound } from '../../errors/gateway-error.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { type ChangedSession, ChangesBody } from './schemas.ts';

type Deps = Pick<AppDeps, 'sessions' | 'views' | 'clock'>;

/** `PATCH /session` (OS1). */
export function changeRoute(app: App, deps: Deps): void {
  app.patch('/session', { schema: { body: ChangesBody } }, ({ id: reqId, view, body }) =>
    change(deps, view, body, reqId),
  );
}

/** `PATCH /sessions/{id}`: the same with the API key. */
export function operatorChangeRoute(app: App, deps: Deps): void {
  app.patch('/sessions/:id', { schema: { body: ChangesBody } }, ({ id: reqId, params, body }) => {
    const view = deps.views.get((params as { id: string }).id);
    if (view === undefined || view.ended) throw sessionNotFound();
    return change(deps, view, body, reqId);
  });
}

async function change(deps: Deps, view: SessionView, names: ChangesBody, reqId: string): Promise<ChangedSession> {
  const { id } = view;
  if (names.externalId === undefined && names.label === undefined) return changedSession(view);
  const { position } = await deps.sessions.rename(id, names, reqId);
  const changed = await readYourWrites(deps, id, position);
  if (changed === undefined || changed.ended) throw sessionNotFound();
  return changedSession(changed);
}

const changedSession = ({ id, externalId = '', label = '' }: SessionView): ChangedSession => ({
  id,
  externalId,
  label,
});
