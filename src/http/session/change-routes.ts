import type { CommandOrigin } from '../../../actors/runtime/sessions.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { sessionNotFound } from '../../errors/gateway-error.ts';
import { maySee, originOf } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { type ChangedSession, ChangesBody } from './schemas.ts';

type Deps = Pick<AppDeps, 'sessions' | 'views' | 'clock'>;

/** `PATCH /session` (OS1). */
export function changeRoute(app: App, deps: Deps): void {
  app.patch('/session', { schema: { body: ChangesBody } }, (request) =>
    change(deps, request.view, request.body, originOf(request)),
  );
}

/** `PATCH /sessions/{id}`: the same with a key (`sessions:control`). */
export function operatorChangeRoute(app: App, deps: Deps): void {
  app.patch('/sessions/:id', { schema: { body: ChangesBody } }, (request) => {
    const view = deps.views.get((request.params as { id: string }).id);
    if (view === undefined || view.ended || !maySee(request.caller, view)) throw sessionNotFound();
    return change(deps, view, request.body, originOf(request));
  });
}

async function change(
  deps: Deps,
  view: SessionView,
  names: ChangesBody,
  origin: CommandOrigin,
): Promise<ChangedSession> {
  const { id, tenant } = view;
  if (names.externalId === undefined && names.label === undefined) return changedSession(view);
  const { position } = await deps.sessions.rename(id, { ...names, tenant }, origin);
  const changed = await readYourWrites(deps, id, position);
  if (changed === undefined || changed.ended) throw sessionNotFound();
  return changedSession(changed);
}

const changedSession = ({ id, externalId = '', label = '' }: SessionView): ChangedSession => ({
  id,
  externalId,
  label,
});
